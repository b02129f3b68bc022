x:	mov (%rdi), %rax
	call f
	mov %rax, (%rsi)
	add $8, %rdi
	add $8, %rsi
	dec %rcx
	jne x
	ret
f:	mov %rax, %rdx
	shr $7, %rdx
	xor %rdx, %rax
	imul $0x5bd1e995, %rax, %rax
	mov %rax, %rdx
	shr $15, %rdx
	xor %rdx, %rax
	ret
