# What gcc writes for a variable of a thread: prefixes as numbers, in front of the
# instructions that have them; a section that is left again.
.L3:
	.byte	0x66
	leaq	x@tlsgd(%rip), %rdi
	.value	0x6666
	movq	(%rdi), %rax
	.pushsection	__ex_table, "a"
	.long	1, 2
	.popsection
	.byte	0x48, 0x01, 0xc2
	.section	.rodata
	.quad	3
	.previous
	decq	%rcx
	jne	.L3
