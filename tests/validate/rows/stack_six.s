.L:
	push %rax
	push %rbx
	push %rdx
	push %rsi
	push %rdi
	push %r8
	lea 48(%rsp), %rsp
	dec %rcx
	jnz .L
