.L1:
	addq %rax, %rbx
	jne .L1
