/* Where a hart enters, by either door, and where it traps to.
 *
 * Raw entry: a0 = hart id, a1 = device tree, MMU off ("RISC-V Linux boot
 * requirements", Register state).  EFI entry: a0 = image handle, a1 = system
 * table; main.c leaves the firmware and goes on as from the raw entry.
 */
	.section .text.start, "ax", @progbits
	.globl	raw_entry
	.hidden	raw_entry
	.balign	4
raw_entry:
	csrw	sie, zero
	csrci	sstatus, 2		/* SIE */
	/* Firmware without HSM lets every hart in: the first one wins. */
	lla	t0, entered
	li	t1, 1
	amoswap.w.aq t1, t1, (t0)
	bnez	t1, park
	lla	sp, stack_top
	j	boot_start
park:
	wfi
	j	park

/* Entry of a hart that another one started; a0 and a1 as above. */
	.globl	moved_entry
	.hidden	moved_entry
	.balign	4
moved_entry:
	lla	sp, stack_top
	j	boot_start

/* int hart_move(hart, entry, tree): start the hart there and stop this one.
 * Both use one stack, so this one must not use it once the other runs; hence no
 * C function.  Returns only if the other did not start.  Extension and
 * functions: SBI 2.0, chapter 9. */
	.globl	hart_move
	.hidden	hart_move
	.balign	4
hart_move:
	li	a7, 0x48534d		/* HSM */
	li	a6, 0			/* hart_start */
	ecall
	bnez	a0, 1f
	li	a6, 1			/* hart_stop */
	ecall
	j	park
1:	ret

/* Take a trap: any stack, any registers; never returns to the trapped code.
 * Traps during a kernel continue at arch_measure_abort, with interrupts still
 * disabled by the trap. */
	.globl	trap_entry
	.hidden	trap_entry
	.balign	4
trap_entry:
	lla	sp, trap_stack_top
	csrr	a0, scause
	csrr	a1, sepc
	csrr	a2, stval
	jal	boot_trap
	j	arch_measure_abort

	.section .bss.stack, "aw", @nobits
	.balign	16
	.skip	32768
stack_top:
	.skip	8192
trap_stack_top:
entered:
	.skip	16

	.section .note.GNU-stack, "", @progbits
