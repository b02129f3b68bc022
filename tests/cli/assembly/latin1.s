# café
.Lsé:
	addq %rax, %rbx
	leaq té(%rip), %rcx
	jne .Lsé
