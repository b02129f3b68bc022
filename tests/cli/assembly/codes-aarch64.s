loop:
	ldp	q1, q2, [x0], #32
	.inst	0x4e82a420, 0x4e82a423 // smmla
	.word	0x8b010000 // add
	subs	x3, x3, #1
	b.ne	loop
