.L:
	adc %rax, %rbx
	adc %rdx, %rbx
	dec %rcx
	jnz .L
