.L3:
	.insn	4, 0x00b50533
	.insn	0x0505
	.insn	r 0x33, 0, 0, a0, a0, a1
	.half	0x0001
	.word	0x00b50533
	bnez	a1, .L3
