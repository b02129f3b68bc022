/* Entries of the interrupt table, 16 bytes apart.  Each pushes its number,
 * after a zero if the CPU pushed no error code, so that all frames have one
 * layout (struct trap_frame of quiet.c). */
	.intel_syntax noprefix
	.section .text.vectors, "ax", @progbits

/* SDM vol. 3, table 6-1: vectors with an error code. */
	.macro	vector n
	.p2align 4
	.ifeq	(\n - 8) * (\n - 10) * (\n - 11) * (\n - 12) * (\n - 13)
	push	\n
	.else
	.ifeq	(\n - 14) * (\n - 17) * (\n - 21) * (\n - 29) * (\n - 30)
	push	\n
	.else
	push	0
	push	\n
	.endif
	.endif
	jmp	common
	.endm

	.globl	boot_vectors
	.hidden	boot_vectors
	.p2align 4
boot_vectors:
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	vector	\n
	.endr
	.irp	n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vector	\n
	.endr
	/* The watchdog and the local APIC's spurious interrupt. */
	vector	32
	vector	33

common:
	push	rax
	push	rcx
	push	rdx
	push	rbx
	push	rbp
	push	rsi
	push	rdi
	push	r8
	push	r9
	push	r10
	push	r11
	push	r12
	push	r13
	push	r14
	push	r15
	cld
	mov	rdi, rsp
	/* 22 words were pushed on a 16-byte aligned stack. */
	call	boot_trap
	pop	r15
	pop	r14
	pop	r13
	pop	r12
	pop	r11
	pop	r10
	pop	r9
	pop	r8
	pop	rdi
	pop	rsi
	pop	rbp
	pop	rbx
	pop	rdx
	pop	rcx
	pop	rax
	add	rsp, 16
	iretq

	.section .note.GNU-stack, "", @progbits
