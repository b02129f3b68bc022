/* Registers with known values, for guest.h: isa_guest.state_program. */
	.arch	armv8-a+sve
	.altmacro

	.macro	general n
	ldr	x\n, =0x1357924680ac0000+\n
	.endm
	.macro	vector n
	mov	z\n\().b, #(0x40+\n)
	.endm
	.macro	mask n
	mov	x0, #(\n+1)
	whilelo	p\n\().b, xzr, x0
	.endm
	/* x0 serves the masks: it is set last. */
	.macro	all what, last
	.set	i, \last
	.rept	\last+1
	one	\what, %i
	.set	i, i-1
	.endr
	.endm
	.macro	one what, n
	\what	\n
	.endm

	.globl	_start
_start:
	all	mask, 15
	all	vector, 31
	all	general, 30
	b	1f	/* the emulator keeps no register elsewhere */
1:	hint	#122
	mov	x8, #93
	mov	x0, #0
	svc	#0
	.ltorg
