.L3:
	movq	%r8, %rsi
	movq	%r9, %rdi
	movl	$16, %ecx
	rep movsb
	decq	%rdx
	jne	.L3
