.L:
	jmp 1f
	nop
1:	jmp 2f
	nop
2:	add %rax, %rbx
	dec %rcx
	jnz .L
