.L:
	test %rax, %rax
	js 1f
	test %rbx, %rbx
	js 1f
	add %rax, %rbx
	dec %rcx
	jnz .L
1:
