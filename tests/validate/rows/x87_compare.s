.L:
	fucomi %st(1), %st
	fcmovb %st(1), %st
	dec %rcx
	jnz .L
