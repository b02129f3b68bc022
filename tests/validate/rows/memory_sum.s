.L:
	add %rax, (%rdi)
	mov (%rdi), %rbx
	dec %rcx
	jnz .L
