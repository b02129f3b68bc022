.L:
	vdivss %xmm0, %xmm1, %xmm2
	vsqrtss %xmm0, %xmm3, %xmm4
	dec %rcx
	jnz .L
