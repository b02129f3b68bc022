	.text
sum:
	xorl %eax, %eax
.L3:
	addq (%rdi), %rax
	addq $8, %rdi
	cmpq %rsi, %rdi
	jne .L3
	ret
scale:
.L6:
	mulsd (%rdi), %xmm0
	addq $8, %rdi
	cmpq %rsi, %rdi
	jne .L6
	ret
loop:
	decq %rdi
	jne loop
	ret
