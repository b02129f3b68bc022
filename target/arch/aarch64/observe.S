/* A kernel whose registers are stored behind it: arch_run.code is arch_observe,
 * which calls the kernel that arch_observed names.  The measuring routine is the
 * same; the ticks of such a run mean nothing.  x30 is the only register that a kernel
 * does not get from its image. */
#include "target/arch/aarch64/arch_regs.h"
#include "target/offsets.h"
	.arch_extension simd
	.section .text.arch_observe, "ax", @progbits
	.globl	arch_observe
	.hidden	arch_observe
	.type	arch_observe, @function
	.balign	64
arch_observe:
	str	x30, [sp, #-16]!
	adrp	x30, arch_observed
	ldr	x30, [x30, :lo12:arch_observed]
	blr	x30
	adrp	x30, arch_registers
	add	x30, x30, :lo12:arch_registers
	stp	x0, x1, [x30, #IMAGE_GPR + 8 * 0]
	stp	x2, x3, [x30, #IMAGE_GPR + 8 * 2]
	stp	x4, x5, [x30, #IMAGE_GPR + 8 * 4]
	stp	x6, x7, [x30, #IMAGE_GPR + 8 * 6]
	stp	x8, x9, [x30, #IMAGE_GPR + 8 * 8]
	stp	x10, x11, [x30, #IMAGE_GPR + 8 * 10]
	stp	x12, x13, [x30, #IMAGE_GPR + 8 * 12]
	stp	x14, x15, [x30, #IMAGE_GPR + 8 * 14]
	stp	x16, x17, [x30, #IMAGE_GPR + 8 * 16]
	stp	x18, x19, [x30, #IMAGE_GPR + 8 * 18]
	stp	x20, x21, [x30, #IMAGE_GPR + 8 * 20]
	stp	x22, x23, [x30, #IMAGE_GPR + 8 * 22]
	stp	x24, x25, [x30, #IMAGE_GPR + 8 * 24]
	stp	x26, x27, [x30, #IMAGE_GPR + 8 * 26]
	stp	x28, x29, [x30, #IMAGE_GPR + 8 * 28]
	add	x0, x30, #IMAGE_VECTOR
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	str	q\n, [x0], #16
	.endr
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	str	q\n, [x0], #16
	.endr
	ldr	x30, [sp], #16
	ret
	.size	arch_observe, . - arch_observe

	.section .note.GNU-stack, "", @progbits
