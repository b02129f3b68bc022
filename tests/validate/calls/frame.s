x:	movsd (%rdi), %xmm0
	call f
	addsd %xmm0, %xmm1
	add $8, %rdi
	dec %rcx
	jne x
	ret
f:	push %rbp
	mov %rsp, %rbp
	sub $32, %rsp
	movsd %xmm0, -8(%rbp)
	mulsd %xmm0, %xmm0
	addsd -8(%rbp), %xmm0
	leave
	ret
