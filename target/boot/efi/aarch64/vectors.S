/* Exception vectors during the quiet section, one table for EL1 and one for
 * EL2.  An exception never returns to the interrupted code: boot_trap() records
 * it, and execution continues at arch_measure_abort with everything masked and
 * the previous stack pointer selected. */

	.macro	vectors el
	.section .text.vectors_el\el, "ax", @progbits
	.globl	boot_vectors_el\el
	.hidden	boot_vectors_el\el
	.balign	2048
boot_vectors_el\el:
	.irp	kind, 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3
	.balign	128
	mov	x4, #\kind
	b	take_el\el
	.endr
take_el\el:
	mrs	x0, esr_el\el
	mrs	x1, elr_el\el
	mrs	x2, far_el\el
	mov	x19, sp
	adrp	x3, trap_stack_top
	add	x3, x3, #:lo12:trap_stack_top
	mov	sp, x3
	mov	x3, x4
	bl	boot_trap
	mov	sp, x19
	/* Keep the mode and PAN, UAO; mask all; drop flags and BTYPE. */
	mrs	x1, spsr_el\el
	mov	x2, #0xf
	movk	x2, #0x00c0, lsl #16
	and	x1, x1, x2
	orr	x1, x1, #0x3c0
	msr	spsr_el\el, x1
	adrp	x1, arch_measure_abort
	add	x1, x1, #:lo12:arch_measure_abort
	adrp	x2, quiet_abort
	add	x2, x2, #:lo12:quiet_abort
	cmp	x0, #0
	csel	x1, x2, x1, eq
	msr	elr_el\el, x1
	eret
	.endm

	vectors	1
	vectors	2

/* int quiet_run(run, measure): measure(run) with IRQs unmasked.  One that is taken
 * before the measuring routine has saved its state, where boot_trap() returns
 * NULL, goes on at quiet_abort: the result is 1. */
	.section .text.quiet_run, "ax", @progbits
	.globl	quiet_run
	.hidden	quiet_run
quiet_run:
	stp	x29, x30, [sp, #-96]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	adrp	x9, quiet_frame
	mov	x10, sp
	str	x10, [x9, #:lo12:quiet_frame]
	msr	daifclr, #2
	blr	x1
	msr	daifset, #2
	b	1f
quiet_abort:
	adrp	x9, quiet_frame
	ldr	x9, [x9, #:lo12:quiet_frame]
	mov	sp, x9
	mov	w0, #1
1:	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #96
	ret

	.section .bss.quiet_frame, "aw", @nobits
	.balign	8
quiet_frame:
	.skip	8

	.section .text.raw_entry, "ax", @progbits
/* The Image header's entry, for a loader without EFI (booti).  This runtime
 * needs EFI, so it powers off (PSCI SYSTEM_OFF, Arm DEN 0022, 5.1.9) as a
 * visible sign. */
	.globl	raw_entry
	.hidden	raw_entry
raw_entry:
	movz	x0, #0x8400, lsl #16
	movk	x0, #0x0008
	mrs	x1, CurrentEL
	cmp	x1, #8
	b.eq	1f
	hvc	#0
1:
	smc	#0
2:
	wfi
	b	2b

	.section .bss.trap_stack, "aw", @nobits
	.balign	16
	.skip	8192
	.globl	trap_stack_top
	.hidden	trap_stack_top
trap_stack_top:

	.section .note.GNU-stack, "", @progbits
