/* The frozen measuring routine.  tests/golden holds its disassembly: a change
 * here changes every number the project publishes.
 *
 *	save callee-saved registers, flags, FP control
 *	load FP/vector registers             (only kernels that ask)
 *	load flags and general registers, all but four
 *	lfence; retired instructions         (core clock only)
 *	lfence; counter; lfence
 *	load the last four; call kernel
 *	lfence; counter
 *	lfence; retired instructions         (core clock only)
 *	restore
 *
 * Both counter reads stand directly at the call, so what is not the kernel
 * costs the same in every run and cancels in the slope over three lengths.
 * LFENCE waits until everything before it has completed and starts nothing
 * after it (Intel SDM vol. 2, LFENCE; AMD APM vol. 2, 7.6.4 with
 * LFENCE_SERIALIZE set).
 *
 *	stack while the kernel runs
 *	sp + 24  free
 *	sp + 16  code of the kernel
 *	sp +  8  struct arch_run *
 *	sp +  4  x87 control word
 *	sp       MXCSR; arch_run.saved_sp points here
 */
#include "target/arch/x86_64/arch_regs.h"
#include "target/offsets.h"

#define FRAME 32
/* CF PF AF ZF SF OF: what an image may set. */
#define ARITHMETIC_FLAGS 0x8d5
/* ... and what else must not survive from before: DF. */
#define KEEP_FLAGS ~(ARITHMETIC_FLAGS | 0x400)
	.intel_syntax noprefix

	/* The names RDPMC has for core cycles and retired instructions: fixed
	 * counters 1 and 0 (SDM vol. 3, 20.2.2); AMD's counters 0 and 1, which
	 * bare/counters.c set up so.  Constants: a load could miss the cache
	 * after one kernel and not after another. */
	.macro	read_fixed
	mov	ecx, 0x40000001
	rdpmc
	.endm

	.macro	read_amd
	mov	ecx, 0
	rdpmc
	.endm

	/* Cycles in C0, IA32_APERF (SDM vol. 4): read at ring 0 only; no counter
	 * of instructions goes with it. */
	.macro	read_aperf
	mov	ecx, 0xe8
	rdmsr
	.endm

	/* Instructions retired, outside of the counted cycles. */
	.macro	count name, at
	lfence
	mov	ecx, \name
	rdpmc
	mov	[rdi + \at], eax
	mov	[rdi + \at + 4], edx
	.endm

	.macro	count_fixed at
	count	0x40000000, \at
	.endm

	.macro	count_amd at
	count	1, \at
	.endm

	.macro	read_ref
	rdtsc
	.endm

	.macro	count_ref at
	.endm

	.macro	count_aperf at
	.endm

	.macro	measure name, read, count
	.globl	\name
	.hidden	\name
	.type	\name, @function
	.p2align 6
\name:
	push	rbx
	push	rbp
	push	r12
	push	r13
	push	r14
	push	r15
	pushfq
	sub	rsp, FRAME
	stmxcsr	[rsp]
	fnstcw	[rsp + 4]
	mov	[rsp + 8], rdi
	mov	rax, [rdi + RUN_CODE]
	mov	[rsp + 16], rax
	mov	[rdi + RUN_SAVED_SP], rsp
	mov	rsi, [rdi + RUN_IMAGE]
	cmp	qword ptr [rdi + RUN_VECTOR], 0
	je	1f
	call	load_vector
1:
	mov	eax, [rsi + IMAGE_FLAGS]
	and	eax, ARITHMETIC_FLAGS
	pushfq
	pop	rdx
	and	rdx, KEEP_FLAGS
	or	rdx, rax
	push	rdx
	popfq
	mov	rbx, [rsi + IMAGE_GPR + 8 * 3]
	mov	rbp, [rsi + IMAGE_GPR + 8 * 5]
	mov	r8, [rsi + IMAGE_GPR + 8 * 8]
	mov	r9, [rsi + IMAGE_GPR + 8 * 9]
	mov	r10, [rsi + IMAGE_GPR + 8 * 10]
	mov	r11, [rsi + IMAGE_GPR + 8 * 11]
	mov	r12, [rsi + IMAGE_GPR + 8 * 12]
	mov	r13, [rsi + IMAGE_GPR + 8 * 13]
	mov	r14, [rsi + IMAGE_GPR + 8 * 14]
	mov	r15, [rsi + IMAGE_GPR + 8 * 15]
	\count	RUN_AUX_BEGIN
	lfence
	\read
	mov	[rdi + RUN_BEGIN], eax
	mov	[rdi + RUN_BEGIN + 4], edx
	lfence
	mov	rax, [rsi + IMAGE_GPR + 8 * 0]
	mov	rcx, [rsi + IMAGE_GPR + 8 * 1]
	mov	rdx, [rsi + IMAGE_GPR + 8 * 2]
	mov	rdi, [rsi + IMAGE_GPR + 8 * 7]
	mov	rsi, [rsi + IMAGE_GPR + 8 * 6]
	call	[rsp + 16]
	lfence
	\read
	mov	rdi, [rsp + 8]
	mov	[rdi + RUN_END], eax
	mov	[rdi + RUN_END + 4], edx
	\count	RUN_AUX_END
	xor	eax, eax
	jmp	restore
	.size	\name, . - \name
	.endm

	.section .text.arch_measure, "ax", @progbits
	.globl	arch_measure_core
	.hidden	arch_measure_core
	.type	arch_measure_core, @function
	.p2align 6
arch_measure_core:
	cmp	dword ptr [rip + arch_counters], COUNTERS_AMD
	je	arch_measure_amd
	cmp	dword ptr [rip + arch_counters], COUNTERS_APERF
	je	arch_measure_aperf
	jmp	arch_measure_fixed
	.size	arch_measure_core, . - arch_measure_core

	measure	arch_measure_fixed, read_fixed, count_fixed
	measure	arch_measure_amd, read_amd, count_amd
	measure	arch_measure_aperf, read_aperf, count_aperf
	measure	arch_measure_ref, read_ref, count_ref

/* A fault handler enters here with rdi = struct arch_run *. */
	.globl	arch_measure_abort
	.hidden	arch_measure_abort
	.type	arch_measure_abort, @function
	.p2align 4
arch_measure_abort:
	mov	rsp, [rdi + RUN_SAVED_SP]
	mov	eax, 1
restore:
	cmp	qword ptr [rdi + RUN_VECTOR], 0
	je	1f
	cmp	dword ptr [rip + arch_vector_level], LEVEL_XMM
	je	2f
	vzeroupper
2:
	/* Neither a pending exception nor a full register stack may reach
	 * the next user of the x87. */
	fnclex
	emms
	fldcw	[rsp + 4]
	ldmxcsr	[rsp]
1:
	add	rsp, FRAME
	popfq
	pop	r15
	pop	r14
	pop	r13
	pop	r12
	pop	rbp
	pop	rbx
	ret
	.size	arch_measure_abort, . - arch_measure_abort

/* Load what the image holds into every register this CPU has; rdi = run,
 * rsi = image, both kept.  Changes rax and the flags. */
	.type	load_vector, @function
	.p2align 4
load_vector:
	/* A zero means the default: all exceptions masked, round to nearest
	 * (SDM vol. 1, 10.2.3 and 8.1.5). */
	sub	rsp, 8
	mov	eax, [rsi + IMAGE_CONTROL]
	test	eax, eax
	jne	1f
	mov	eax, 0x1f80
1:
	mov	[rsp], eax
	ldmxcsr	[rsp]
	mov	eax, [rsi + IMAGE_CONTROL + 4]
	test	eax, eax
	jne	1f
	mov	eax, 0x37f
1:
	mov	[rsp], eax
	fnclex
	fldcw	[rsp]
	add	rsp, 8
	test	dword ptr [rdi + RUN_VECTOR], FLAG_X87
	jne	1f
	.irp	n, 0,1,2,3,4,5,6,7
	movq	mm\n, [rsi + IMAGE_FP + 8 * \n]
	.endr
	jmp	2f
1:
	.irp	n, 7,6,5,4,3,2,1,0
	fld	qword ptr [rsi + IMAGE_FP + 8 * \n]
	.endr
2:
	cmp	dword ptr [rip + arch_vector_level], LEVEL_YMM
	jb	load_xmm
	je	1f
	.irp	n, 0,1,2,3,4,5,6,7
	kmovq	k\n, [rsi + IMAGE_MASK + 8 * \n]
	.endr
	test	dword ptr [rdi + RUN_VECTOR], FLAG_WIDE
	je	3f
	test	dword ptr [rdi + RUN_VECTOR], FLAG_WIDEST
	je	4f
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	vbroadcasti32x4	zmm\n, [rsi + IMAGE_VECTOR + 16 * \n]
	.endr
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vbroadcasti32x4	zmm\n, [rsi + IMAGE_VECTOR + 16 * \n]
	.endr
	ret
4:
	/* Nothing of 64 bytes: see PACK_KERNEL_WIDEST. */
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vbroadcasti32x4	ymm\n, [rsi + IMAGE_VECTOR + 16 * \n]
	.endr
	jmp	1f
3:
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vmovdqu32	xmm\n, [rsi + IMAGE_VECTOR + 16 * \n]
	.endr
	jmp	load_clean
1:
	test	dword ptr [rdi + RUN_VECTOR], FLAG_WIDE
	je	load_clean
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	vbroadcastf128	ymm\n, [rsi + IMAGE_VECTOR + 16 * \n]
	.endr
	ret
load_clean:
	/* VEX and EVEX loads would zero the upper halves, but only this tells
	 * the core that they are clean. */
	vzeroupper
load_xmm:
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	movups	xmm\n, [rsi + IMAGE_VECTOR + 16 * \n]
	.endr
	ret
	.size	load_vector, . - load_vector

	.section .note.GNU-stack, "", @progbits
