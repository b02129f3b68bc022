.L:
	vmulss %xmm0, %xmm1, %xmm2
	vmulss %xmm0, %xmm1, %xmm3
	vmulss (%rdi), %xmm1, %xmm4
	vmulss 4(%rdi), %xmm1, %xmm5
	dec %rcx
	jnz .L
