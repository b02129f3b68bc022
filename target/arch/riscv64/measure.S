/* The frozen measuring routine.  tests/golden holds its disassembly: a change
 * here changes every number the project publishes.
 *
 *	save ra, gp, tp and the callee-saved registers
 *	load FP/vector registers             (only kernels that ask)
 *	load general registers, all but three
 *	fence; counters
 *	load the last three; fence; call kernel
 *	fence; counters
 *	restore
 *
 * The call goes through ra, which a kernel may not expect to hold anything
 * else, so that every other register can come from the image.  FENCE orders
 * memory on both sides; a read of a counter CSR is ordered with the
 * instructions around it in program order (Privileged ISA, 2.1, "CSR Access
 * Ordering").  What is not the kernel costs the same in every run and cancels
 * in the slope over three lengths.
 *
 * The core routine reads retired instructions outside of the cycles.  They
 * show whether anything but the kernel ran.
 *
 *	stack while the kernel runs; arch_run.saved_sp points at sp
 *	sp + 16  callee-saved registers
 *	sp +  8  free
 *	sp       struct arch_run *
 */
#include "target/arch/riscv64/arch_regs.h"
#include "target/offsets.h"

#define FRAME 144
#define SAVED 16

	.macro	save_or_load insn
	\insn	ra, SAVED + 0(sp)
	\insn	gp, SAVED + 8(sp)
	\insn	tp, SAVED + 16(sp)
	\insn	s0, SAVED + 24(sp)
	\insn	s1, SAVED + 32(sp)
	\insn	s2, SAVED + 40(sp)
	\insn	s3, SAVED + 48(sp)
	\insn	s4, SAVED + 56(sp)
	\insn	s5, SAVED + 64(sp)
	\insn	s6, SAVED + 72(sp)
	\insn	s7, SAVED + 80(sp)
	\insn	s8, SAVED + 88(sp)
	\insn	s9, SAVED + 96(sp)
	\insn	s10, SAVED + 104(sp)
	\insn	s11, SAVED + 112(sp)
	.endm

	.macro	begin_core
	rdinstret t1
	sd	t1, RUN_AUX_BEGIN(a0)
	rdcycle	t1
	sd	t1, RUN_BEGIN(a0)
	.endm

	.macro	end_core
	rdcycle	t0
	rdinstret t1
	ld	a0, 0(sp)
	sd	t0, RUN_END(a0)
	sd	t1, RUN_AUX_END(a0)
	.endm

	/* For a core whose firmware refuses instret. */
	.macro	begin_cycles
	rdcycle	t1
	sd	t1, RUN_BEGIN(a0)
	.endm

	.macro	end_cycles
	rdcycle	t0
	ld	a0, 0(sp)
	sd	t0, RUN_END(a0)
	.endm

	.macro	begin_ref
	rdtime	t1
	sd	t1, RUN_BEGIN(a0)
	.endm

	.macro	end_ref
	rdtime	t0
	ld	a0, 0(sp)
	sd	t0, RUN_END(a0)
	.endm

	.macro	measure name, begin, end
	.type	\name, @function
	.balign	64
\name:
	addi	sp, sp, -FRAME
	save_or_load sd
	sd	a0, 0(sp)
	sd	sp, RUN_SAVED_SP(a0)
	ld	t0, RUN_IMAGE(a0)
	ld	t1, RUN_VECTOR(a0)
	beqz	t1, 1f
	jal	load_units
1:
	ld	ra, RUN_CODE(a0)
	.irp	n, 3,4,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24
	ld	x\n, IMAGE_GPR + 8 * \n (t0)
	.endr
	.irp	n, 25,26,27,28,29,30,31
	ld	x\n, IMAGE_GPR + 8 * \n (t0)
	.endr
	fence
	\begin
	ld	t1, IMAGE_GPR + 8 * 6 (t0)
	ld	a0, IMAGE_GPR + 8 * 10 (t0)
	ld	t0, IMAGE_GPR + 8 * 5 (t0)
	fence
	jalr	ra, 0(ra)
	fence
	\end
	li	a0, 0
	j	restore
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
	lla	t0, arch_units
	lw	t0, 0(t0)
	andi	t0, t0, UNIT_RETIRED
	beqz	t0, measure_cycles
	j	measure_retired
	.size	arch_measure_core, . - arch_measure_core

/* A fault handler enters here with a0 = struct arch_run *. */
	.globl	arch_measure_abort
	.hidden	arch_measure_abort
	.type	arch_measure_abort, @function
	.balign	16
arch_measure_abort:
	ld	sp, RUN_SAVED_SP(a0)
	li	a0, 1
restore:
	save_or_load ld
	addi	sp, sp, FRAME
	ret
	.size	arch_measure_abort, . - arch_measure_abort

/* Load what the image holds into the FP and vector registers this hart has;
 * t0 = image.  Keeps a0 and t0. */
	.type	load_units, @function
	.balign	16
load_units:
	lla	t1, arch_units
	lw	t1, 0(t1)
	andi	t2, t1, UNIT_FP
	beqz	t2, 1f
	.option	push
	.option	arch, +d
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	fld	f\n, IMAGE_FP + 8 * \n (t0)
	.endr
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fld	f\n, IMAGE_FP + 8 * \n (t0)
	.endr
	ld	t2, IMAGE_CONTROL(t0)
	fscsr	t2
	.option	pop
1:
	andi	t2, t1, UNIT_VECTOR
	beqz	t2, 1f
	/* A 16-byte pattern repeated over any VLEN: gather doublewords at the
	 * offsets 0 8 0 8 ...; the register that holds the offsets is last. */
	.option	push
	.option	arch, +v
	csrwi	vstart, 0
	csrwi	vcsr, 0
	vsetvli	t2, zero, e64, m1, ta, ma
	vid.v	v31
	vand.vi	v31, v31, 1
	vsll.vi	v31, v31, 3
	addi	t2, t0, IMAGE_VECTOR
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	vluxei64.v v\n, (t2), v31
	addi	t2, t2, 16
	.endr
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vluxei64.v v\n, (t2), v31
	addi	t2, t2, 16
	.endr
	/* v0 is the mask: all true. */
	vmv.v.i	v0, -1
	lwu	t1, IMAGE_VTYPE(t0)
	vsetvl	t2, zero, t1
	.option	pop
1:
	ret
	.size	load_units, . - load_units

/* Kernels that find out what a hart has: each executes one instruction that
 * is illegal without it.  A fault is the answer no. */
	.macro	probe name, extension, insn:vararg
	.globl	\name
	.hidden	\name
	.type	\name, @function
	.balign	64
\name:
	.option	push
	.option	arch, \extension
	\insn
	.option	pop
	ret
	.size	\name, . - \name
	.endm

	.section .text.arch_probe, "ax", @progbits
	probe	arch_probe_fp, +d, fmv.d.x fa0, zero
	probe	arch_probe_vector, +v, vsetvli t0, zero, e64, m1, ta, ma

/* Returns VLEN in bytes.  Only on harts with vectors. */
	.globl	arch_vlenb
	.hidden	arch_vlenb
	.type	arch_vlenb, @function
arch_vlenb:
	.option	push
	.option	arch, +v
	csrr	a0, vlenb
	.option	pop
	ret
	.size	arch_vlenb, . - arch_vlenb

/* A loop that cannot take less than one cycle per iteration: counter in a0. */
	.globl	arch_probe_loop
	.hidden	arch_probe_loop
	.type	arch_probe_loop, @function
	.balign	64
arch_probe_loop:
	addi	a0, a0, -1
	bnez	a0, arch_probe_loop
	ret
	.size	arch_probe_loop, . - arch_probe_loop

	.section .note.GNU-stack, "", @progbits
