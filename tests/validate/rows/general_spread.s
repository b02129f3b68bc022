.L:
	imul %rax, %rbx
	imul %rax, %rdx
	shr $3, %rsi
	shr $5, %rdi
	lea 4(%r8), %r9
	lea 4(%r10), %r11
	lea 4(%r12), %r13
	dec %rcx
	jnz .L
