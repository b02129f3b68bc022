/* The frozen measuring routine.  tests/golden holds its disassembly: a change
 * here changes every number the project publishes.
 *
 *	save x18..x30
 *	load FP/vector registers             (only kernels that ask)
 *	load flags and general registers, all but three
 *	isb; counters
 *	load the last three; isb; call kernel
 *	isb; counters
 *	restore
 *
 * The call goes through x30, the link register, so that every other register
 * can come from the image.  ISB completes everything before it and keeps a
 * counter read from moving across (Arm ARM, D13.5.1: reads of the counters
 * are not ordered otherwise).  What is not the kernel costs the same in every
 * run and cancels in the slope over three lengths.
 *
 * The core routine reads retired instructions outside of the cycles.  They
 * show whether anything but the kernel ran.
 *
 *	stack while the kernel runs; arch_run.saved_sp points at sp
 *	sp + 16  x18..x30
 *	sp +  8  free
 *	sp       struct arch_run *
 */
#include "target/arch/aarch64/arch_regs.h"
#include "target/offsets.h"

#define FRAME 128

	.arch_extension simd
	.arch_extension sve
	.arch_extension sme

	.macro	begin_core
	isb
	mrs	x2, pmevcntr0_el0
	str	x2, [x0, #RUN_AUX_BEGIN]
	isb
	mrs	x2, pmccntr_el0
	str	x2, [x0, #RUN_BEGIN]
	.endm

	.macro	end_core
	mrs	x1, pmccntr_el0
	isb
	mrs	x2, pmevcntr0_el0
	ldr	x0, [sp]
	str	x1, [x0, #RUN_END]
	str	x2, [x0, #RUN_AUX_END]
	.endm

	/* For a core without a counter of instructions. */
	.macro	begin_cycles
	isb
	mrs	x2, pmccntr_el0
	str	x2, [x0, #RUN_BEGIN]
	.endm

	.macro	end_cycles
	mrs	x1, pmccntr_el0
	ldr	x0, [sp]
	str	x1, [x0, #RUN_END]
	.endm

	.macro	begin_ref
	isb
	mrs	x2, cntvct_el0
	str	x2, [x0, #RUN_BEGIN]
	.endm

	.macro	end_ref
	mrs	x1, cntvct_el0
	ldr	x0, [sp]
	str	x1, [x0, #RUN_END]
	.endm

	.macro	measure name, begin, end
	.type	\name, @function
	.balign	64
\name:
	sub	sp, sp, #FRAME
	stp	x18, x19, [sp, #16]
	stp	x20, x21, [sp, #32]
	stp	x22, x23, [sp, #48]
	stp	x24, x25, [sp, #64]
	stp	x26, x27, [sp, #80]
	stp	x28, x29, [sp, #96]
	str	x30, [sp, #112]
	str	x0, [sp]
	mov	x1, sp
	str	x1, [x0, #RUN_SAVED_SP]
	ldr	x1, [x0, #RUN_IMAGE]
	ldr	x2, [x0, #RUN_VECTOR]
	cbz	x2, 1f
	bl	load_units
1:
	ldr	w2, [x1, #IMAGE_FLAGS]
	and	x2, x2, #0xf0000000
	msr	nzcv, x2
	ldr	x30, [x0, #RUN_CODE]
	ldr	x3, [x1, #IMAGE_GPR + 8 * 3]
	ldp	x4, x5, [x1, #IMAGE_GPR + 8 * 4]
	ldp	x6, x7, [x1, #IMAGE_GPR + 8 * 6]
	ldp	x8, x9, [x1, #IMAGE_GPR + 8 * 8]
	ldp	x10, x11, [x1, #IMAGE_GPR + 8 * 10]
	ldp	x12, x13, [x1, #IMAGE_GPR + 8 * 12]
	ldp	x14, x15, [x1, #IMAGE_GPR + 8 * 14]
	ldp	x16, x17, [x1, #IMAGE_GPR + 8 * 16]
	ldp	x18, x19, [x1, #IMAGE_GPR + 8 * 18]
	ldp	x20, x21, [x1, #IMAGE_GPR + 8 * 20]
	ldp	x22, x23, [x1, #IMAGE_GPR + 8 * 22]
	ldp	x24, x25, [x1, #IMAGE_GPR + 8 * 24]
	ldp	x26, x27, [x1, #IMAGE_GPR + 8 * 26]
	ldp	x28, x29, [x1, #IMAGE_GPR + 8 * 28]
	\begin
	ldr	x2, [x1, #IMAGE_GPR + 8 * 2]
	ldr	x0, [x1, #IMAGE_GPR + 8 * 0]
	ldr	x1, [x1, #IMAGE_GPR + 8 * 1]
	isb
	blr	x30
	isb
	\end
	mov	w1, #0
	b	restore
	.size	\name, . - \name
	.endm

	.section .text.arch_measure, "ax", @progbits
	measure	measure_retired, begin_core, end_core
	measure	measure_cycles, begin_cycles, end_cycles
	.globl	arch_measure_ref
	.hidden	arch_measure_ref
	measure	arch_measure_ref, begin_ref, end_ref

	.globl	arch_measure_core
	.hidden	arch_measure_core
	.type	arch_measure_core, @function
	.balign	64
arch_measure_core:
	adrp	x1, arch_units
	ldr	w1, [x1, :lo12:arch_units]
	tst	w1, #UNIT_RETIRED
	b.eq	measure_cycles
	b	measure_retired
	.size	arch_measure_core, . - arch_measure_core

/* A fault handler enters here with x0 = struct arch_run *. */
	.globl	arch_measure_abort
	.hidden	arch_measure_abort
	.type	arch_measure_abort, @function
	.balign	16
arch_measure_abort:
	ldr	x1, [x0, #RUN_SAVED_SP]
	mov	sp, x1
	mov	w1, #1
restore:
	ldr	x2, [x0, #RUN_VECTOR]
	cbz	x2, 1f
	tbz	w2, #7, 2f		/* PACK_KERNEL_STREAMING */
	adrp	x3, arch_units
	ldr	w3, [x3, #:lo12:arch_units]
	tbz	w3, #2, 2f		/* UNIT_SME */
	smstop
2:
	msr	fpcr, xzr
	msr	fpsr, xzr
1:
	mov	w0, w1
	ldp	x18, x19, [sp, #16]
	ldp	x20, x21, [sp, #32]
	ldp	x22, x23, [sp, #48]
	ldp	x24, x25, [sp, #64]
	ldp	x26, x27, [sp, #80]
	ldp	x28, x29, [sp, #96]
	ldr	x30, [sp, #112]
	add	sp, sp, #FRAME
	ret
	.size	arch_measure_abort, . - arch_measure_abort

/* Load what the image holds into the FP and vector registers this core has;
 * x1 = image, x2 = flags of the kernel.  Keeps x0 and x1.  The first-fault register
 * is none of streaming mode's. */
	.type	load_units, @function
	.balign	16
load_units:
	mov	x4, x2
	tbz	w4, #7, 3f		/* PACK_KERNEL_STREAMING */
	smstart
3:
	ldr	x2, [x1, #IMAGE_CONTROL]
	msr	fpcr, x2
	msr	fpsr, xzr
	add	x2, x1, #IMAGE_VECTOR
	tbnz	w4, #7, 1f
	adrp	x3, arch_units
	ldr	w3, [x3, #:lo12:arch_units]
	tbnz	w3, #0, 1f		/* UNIT_SVE */
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	ldr	q\n, [x2], #16
	.endr
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	ldr	q\n, [x2], #16
	.endr
	ret
1:
	/* Replicating loads repeat the pattern over any vector length. */
	ptrue	p0.b
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	ld1rqb	{z\n\().b}, p0/z, [x2]
	add	x2, x2, #16
	.endr
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	ld1rqb	{z\n\().b}, p0/z, [x2]
	add	x2, x2, #16
	.endr
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	ptrue	p\n\().b
	.endr
	tbnz	w4, #7, 4f
	setffr
4:
	ret
	.size	load_units, . - load_units

/* Kernels that find out what a core has; a fault is the answer no. */
	.section .text.arch_probe, "ax", @progbits
	.globl	arch_probe_sve
	.hidden	arch_probe_sve
	.type	arch_probe_sve, @function
	.balign	64
arch_probe_sve:
	ptrue	p0.b
	ret
	.size	arch_probe_sve, . - arch_probe_sve

	.globl	arch_probe_sme
	.hidden	arch_probe_sme
	.type	arch_probe_sme, @function
	.balign	64
arch_probe_sme:
	smstart
	smstop
	ret
	.size	arch_probe_sme, . - arch_probe_sme

/* Returns the length of a vector of streaming mode in bytes.  Only on cores with
 * SME. */
	.globl	arch_sme_bytes
	.hidden	arch_sme_bytes
	.type	arch_sme_bytes, @function
arch_sme_bytes:
	rdsvl	x0, #1
	ret
	.size	arch_sme_bytes, . - arch_sme_bytes

/* Returns the vector length in bytes.  Only on cores with SVE. */
	.globl	arch_sve_bytes
	.hidden	arch_sve_bytes
	.type	arch_sve_bytes, @function
arch_sve_bytes:
	cntb	x0
	ret
	.size	arch_sve_bytes, . - arch_sve_bytes

/* A loop that cannot take less than one cycle per iteration: counter in x0. */
	.globl	arch_probe_loop
	.hidden	arch_probe_loop
	.type	arch_probe_loop, @function
	.balign	64
arch_probe_loop:
	sub	x0, x0, #1
	cbnz	x0, arch_probe_loop
	ret
	.size	arch_probe_loop, . - arch_probe_loop

	.section .note.GNU-stack, "", @progbits
