.L:
	addq $1, (%rdi)
	addq $1, 64(%rdi)
	addq $1, 128(%rdi)
	dec %rcx
	jnz .L
