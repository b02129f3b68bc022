/* A kernel whose registers are stored behind it: arch_run.code is arch_observe,
 * which calls the kernel that arch_observed names.  The measuring routine is the
 * same; the ticks of such a run mean nothing.  ra is the only register that a kernel
 * does not get from its image. */
#include "target/arch/riscv64/arch_regs.h"
#include "target/offsets.h"
	.section .text.arch_observe, "ax", @progbits
	.globl	arch_observe
	.hidden	arch_observe
	.type	arch_observe, @function
	.balign	64
arch_observe:
	addi	sp, sp, -16
	sd	ra, 0(sp)
	lla	ra, arch_observed
	ld	ra, 0(ra)
	jalr	ra, 0(ra)
	lla	ra, arch_registers
	.irp	n, 3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24
	sd	x\n, IMAGE_GPR + 8 * \n (ra)
	.endr
	.irp	n, 25,26,27,28,29,30,31
	sd	x\n, IMAGE_GPR + 8 * \n (ra)
	.endr
	lla	t0, arch_units
	lw	t0, 0(t0)
	andi	t1, t0, UNIT_FP
	beqz	t1, 1f
	.option	push
	.option	arch, +d
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	fsd	f\n, IMAGE_FP + 8 * \n (ra)
	.endr
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fsd	f\n, IMAGE_FP + 8 * \n (ra)
	.endr
	.option	pop
1:
	andi	t1, t0, UNIT_VECTOR
	beqz	t1, 1f
	.option	push
	.option	arch, +v
	vsetivli zero, 16, e8, m1, ta, ma
	addi	t1, ra, IMAGE_VECTOR
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	vse8.v	v\n, (t1)
	addi	t1, t1, 16
	.endr
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vse8.v	v\n, (t1)
	addi	t1, t1, 16
	.endr
	.option	pop
1:
	ld	ra, 0(sp)
	addi	sp, sp, 16
	ret
	.size	arch_observe, . - arch_observe

	.section .note.GNU-stack, "", @progbits
