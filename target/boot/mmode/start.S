/* Where a hart enters at reset, in M-mode, and where the others wait.
 *
 * Hart 0 starts: each machine has one (Privileged ISA 1.12, "Hart ID Register
 * mhartid").  Others wait for a software interrupt and read no memory before.
 * a1: the device tree, if a boot ROM passes one.
 */
	.section .text.start, "ax", @progbits
	.globl	raw_entry
	.hidden	raw_entry
	.balign	4
raw_entry:
	csrw	mie, zero
	csrci	mstatus, 8		/* MIE */
	lla	t0, trap_entry
	csrw	mtvec, t0
	csrr	t0, mhartid
	bnez	t0, park
	lla	sp, stack_top
	j	boot_start

/* The interrupt is pending, not taken: MIE stays 0. */
park:
	li	t0, 8			/* MSIE, MSIP */
	csrw	mie, t0
1:	wfi
	csrr	t0, mip
	andi	t0, t0, 8
	beqz	t0, 1b
	lla	t0, wake
	ld	t1, 0(t0)		/* pending since the reset: not ours */
	beqz	t1, 1b
	csrr	t2, mhartid		/* another hart's register: not ours */
	slli	t2, t2, 2
	li	t3, 0x3fff		/* MSIP: 4 bytes a hart, CLINT */
	and	t3, t3, t1
	bne	t2, t3, 1b
	fence
	csrr	a0, mhartid
	ld	t2, 8(t0)
	sw	zero, 0(t1)
	jr	t2

/* void hart_wake(msip, entry): have the hart of that register, which waits above,
 * go on at the entry. */
	.globl	hart_wake
	.hidden	hart_wake
	.balign	4
hart_wake:
	lla	t0, wake
	sd	a1, 8(t0)
	fence	w, w
	sd	a0, 0(t0)
	fence
	li	t1, 1
	sw	t1, 0(a0)
	ret

/* void env_hart_leave(void) */
	.globl	env_hart_leave
	.hidden	env_hart_leave
	.balign	4
env_hart_leave:
	lla	t0, wake
	sd	zero, 0(t0)
	fence
	j	park

/* void counters_start(void).  Harts of the Privileged ISA before 1.11 have no
 * mcountinhibit: the access traps, and goes on behind it. */
	.globl	counters_start
	.hidden	counters_start
	.balign	4
counters_start:
	lla	t0, 1f
	csrrw	t1, mtvec, t0
	csrw	mcountinhibit, zero
	.balign	4
1:	csrw	mtvec, t1
	ret

/* An image for M-mode is no EFI application, but its header is the same. */
	.globl	efi_entry
	.hidden	efi_entry
	.balign	4
efi_entry:
	li	a0, 0x8000000000000003	/* EFI_UNSUPPORTED */
	ret

	.section .bss.wake, "aw", @nobits
	.balign	16
wake:
	.skip	32

	.section .note.GNU-stack, "", @progbits
