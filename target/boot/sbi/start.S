/* Where a hart enters, by either door.
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

/* void env_move(hart, entry, tree): start the hart there and stop this one.
 * Both use one stack, so this one must not use it once the other runs; hence no
 * C function.  Returns only if the other did not start.  Extension and
 * functions: SBI 2.0, chapter 9. */
	.globl	env_move
	.hidden	env_move
	.balign	4
env_move:
	li	a7, 0x48534d		/* HSM */
	li	a6, 0			/* hart_start */
	ecall
	bnez	a0, 1f
	li	a6, 1			/* hart_stop */
	ecall
	j	park
1:	ret

	.section .bss.entered, "aw", @nobits
	.balign	16
entered:
	.skip	16

	.section .note.GNU-stack, "", @progbits
