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

	.section .bss.stack, "aw", @nobits
	.balign	16
	.skip	32768
	.globl	stack_top
	.hidden	stack_top
stack_top:
	.skip	8192
trap_stack_top:
	.skip	16

	.section .note.GNU-stack, "", @progbits
