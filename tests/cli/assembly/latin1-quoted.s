# café
"lé":
	addq %rax, %rbx
	leaq "té"(%rip), %rcx
	jne "lé"
