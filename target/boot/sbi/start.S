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

/* void env_hart_leave(void): no stack is needed.  Extension and function: SBI
 * 2.0, chapter 9, hart_stop. */
	.globl	env_hart_leave
	.hidden	env_hart_leave
	.balign	4
env_hart_leave:
	li	a7, 0x48534d		/* HSM */
	li	a6, 1
	ecall
	j	park

	.section .bss.entered, "aw", @nobits
	.balign	16
entered:
	.skip	16

	.section .note.GNU-stack, "", @progbits
