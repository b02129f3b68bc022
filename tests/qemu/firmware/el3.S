/* The firmware of an AArch64 server at EL3 that refuses the performance
 * counters and SVE to the levels below: an access traps here, and comes back as
 * an undefined instruction, as Trusted Firmware does it.  U-Boot, loaded at
 * NEXT, runs at EL2.  Fields: Arm ARM (DDI 0487), D17. */
#define NEXT 0x50000000
#define SCR 0x0000000008030531   /* NS, RES1, HCE, RW, APK, API, FGTEN */
#define MDCR_TPM (1 << 6)        /* counters */
#define EL2H_MASKED 0x3c9
#define UNDEFINED 0x02000000     /* ESR_EL2: no class, four bytes */
#define SAME_LEVEL 0x200         /* vectors of an exception from EL2 itself */

	.text
	.globl	_start
_start:
	adr	x1, vectors
	msr	vbar_el3, x1
	ldr	x1, =SCR
	msr	scr_el3, x1
	mov	x1, #MDCR_TPM
	msr	mdcr_el3, x1
	msr	cptr_el3, xzr
	mov	x1, #EL2H_MASKED
	msr	spsr_el3, x1
	ldr	x1, =NEXT
	msr	elr_el3, x1
	isb
	eret

	.balign	2048
vectors:
	.rept	8
	.balign	128
	b	.
	.endr
	.balign	128			/* synchronous, from below */
	msr	tpidr_el3, x0
	mrs	x0, elr_el3
	msr	elr_el2, x0
	mrs	x0, spsr_el3
	msr	spsr_el2, x0
	mov	x0, #UNDEFINED
	msr	esr_el2, x0
	mrs	x0, vbar_el2
	add	x0, x0, #SAME_LEVEL
	msr	elr_el3, x0
	mov	x0, #EL2H_MASKED
	msr	spsr_el3, x0
	mrs	x0, tpidr_el3
	eret
	.rept	7
	.balign	128
	b	.
	.endr
