.L:
	fadd %st(1), %st
	dec %rcx
	jnz .L
