.L3:
	movq	(%rdi,%rax,8), %rcx
	testq	%rcx, %rcx
	je	.L4
	imulq	%rcx, %rdx
.L4:
	addq	$1, %rax
	cmpq	%rsi, %rax
	jne	.L3
