/* Where a hart traps to, and the stacks. */
#include "csr.h"

	.section .text.trap, "ax", @progbits
/* Take a trap: any stack, any registers; never returns to the trapped code.
 * Traps during a kernel continue at arch_measure_abort, with interrupts still
 * disabled by the trap. */
	.globl	trap_entry
	.hidden	trap_entry
	.balign	4
trap_entry:
	lla	sp, trap_stack_top
	csrr	a0, CSR_CAUSE
	csrr	a1, CSR_EPC
	csrr	a2, CSR_TVAL
	jal	boot_trap
	j	arch_measure_abort

/* Entry of a hart that the first one called, a0: its number.  It has a stack only
 * if it is still expected (cores.c). */
	.globl	hart_entry
	.hidden	hart_entry
	.balign	4
hart_entry:
	csrw	CSR_IE, zero
	lla	t0, hart_called
	addi	t1, a0, 1
1:	lr.d.aqrl t2, (t0)
	bne	t1, t2, 2f
	sc.d.rl	t3, zero, (t0)
	bnez	t3, 1b
	lla	sp, hart_stack_top
	j	hart_main
2:	j	env_hart_leave

	.section .bss.stack, "aw", @nobits
	.balign	16
	.skip	32768
	.globl	stack_top
	.hidden	stack_top
stack_top:
	.skip	16384
hart_stack_top:
	.skip	8192
trap_stack_top:
	.skip	16

	.section .note.GNU-stack, "", @progbits
