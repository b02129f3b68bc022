/* A kernel whose registers are stored behind it: arch_run.code is arch_observe,
 * which calls the kernel that arch_observed names.  The measuring routine is the
 * same; the ticks of such a run mean nothing. */
#include "target/arch/x86_64/arch_regs.h"
#include "target/offsets.h"
	.intel_syntax noprefix
	.section .text.arch_observe, "ax", @progbits
	.globl	arch_observe
	.hidden	arch_observe
	.type	arch_observe, @function
	.p2align 6
arch_observe:
	call	[rip + arch_observed]
	mov	[rip + arch_registers + IMAGE_GPR + 8 * 0], rax
	mov	[rip + arch_registers + IMAGE_GPR + 8 * 1], rcx
	mov	[rip + arch_registers + IMAGE_GPR + 8 * 2], rdx
	mov	[rip + arch_registers + IMAGE_GPR + 8 * 3], rbx
	mov	[rip + arch_registers + IMAGE_GPR + 8 * 5], rbp
	mov	[rip + arch_registers + IMAGE_GPR + 8 * 6], rsi
	mov	[rip + arch_registers + IMAGE_GPR + 8 * 7], rdi
	.irp	n, 8,9,10,11,12,13,14,15
	mov	[rip + arch_registers + IMAGE_GPR + 8 * \n], r\n
	.endr
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	movups	[rip + arch_registers + IMAGE_VECTOR + 16 * \n], xmm\n
	.endr
	cmp	dword ptr [rip + arch_vector_level], LEVEL_ZMM
	jb	1f
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vmovups	[rip + arch_registers + IMAGE_VECTOR + 16 * \n], xmm\n
	.endr
1:
	ret
	.size	arch_observe, . - arch_observe

	.section .note.GNU-stack, "", @progbits
