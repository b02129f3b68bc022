x:	call f
	call g
	imul %rax, %r8
	dec %rcx
	jne x
	ret
f:	xor $1, %edx
	je 1f
	add $5, %rax
	add $7, %rax
	ret
1:	imul %rbx, %rax
	ret
g:	mov %rax, %r9
	rol $3, %r9
	xor %r9, %rsi
	jmp h
h:	add %rsi, %rax
	ret
