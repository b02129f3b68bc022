.L:
	add $0x12345678, %rax
	add $0x12345678, %rbx
	add $0x12345678, %rdx
	add $0x12345678, %rsi
	add $0x12345678, %rdi
	add $0x12345678, %r8
	add $0x12345678, %r9
	add $0x12345678, %r10
	add $0x12345678, %r11
	add $0x12345678, %r12
	nop
	dec %rcx
	jnz .L
