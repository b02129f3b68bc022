.L:
	push %rax
	push %rbx
	push %rdx
	add %rsi, %rdi
	pop %rdx
	pop %rbx
	pop %rax
	dec %rcx
	jnz .L
