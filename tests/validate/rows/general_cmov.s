.L:
	cmp %rax, %rbx
	cmovz %rsi, %r8
	cmovz %rsi, %r9
	cmp %rax, %rdx
	cmovz %rsi, %r10
	cmovz %rsi, %r11
	dec %rcx
	jnz .L
