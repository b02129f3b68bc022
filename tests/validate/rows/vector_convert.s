.L:
	vcvtdq2pd %xmm0, %ymm1
	vextracti128 $1, %ymm2, %xmm3
	dec %rcx
	jnz .L
