	# Two products that each wait for the one of the iteration before.
.L1:
	imulq %rax, %rbx
	imulq %rax, %rcx
	subq %rdx, %rsi
	jne .L1
