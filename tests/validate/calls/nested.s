x:	call f
	add %rax, %rsi
	dec %rcx
	jne x
	ret
f:	push %rbx
	mov %rax, %rbx
	call g
	add %rbx, %rax
	call g
	pop %rbx
	ret
g:	lea 3(%rax,%rax,4), %rax
	ret
