.L:
	incl (%rdi)
	add %rax, %rbx
	dec %rcx
	jnz .L
