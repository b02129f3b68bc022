# Branch hints and prefixes that the GNU assembler writes.
.L1:
	addq	(%rdi), %rax
	jo,pn	.L9
	addq	$8, %rdi
	bnd jmp	.L2
.L2:
	cmpq	%rsi, %rdi
	ds jne	.L1
.L9:
	bnd ret
