.L:
	fldl -8(%rsp)
	fmul %st(1), %st
	fstpl -16(%rsp)
	dec %rcx
	jnz .L
