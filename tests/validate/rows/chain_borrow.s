.L:
	sbb %rax, %rax
	sbb %rax, %rax
	dec %rcx
	jnz .L
