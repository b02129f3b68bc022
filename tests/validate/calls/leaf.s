x:	call f
	dec %rcx
	jne x
	ret
f:	imul %rbx, %rax
	add %rax, %rdx
	ret
