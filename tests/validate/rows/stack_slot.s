.L:
	mov %rax, -8(%rsp)
	mov -8(%rsp), %rax
	add %rbx, %rax
	dec %rcx
	jnz .L
