/* The measured part of guests.c.  CALLS: how often work() is called. */
#include "expect.inc"

	.globl	work
	.type	work, @function
work:
	mov	$1000, %ecx
	lea	data(%rip), %rdx
1:	expect	1000*CALLS, 1000*CALLS, 8000*CALLS
	mov	(%rdx), %rax
	dec	%ecx
	jnz	1b
	ret

	.globl	work_tail
work_tail:
	jmp	region

	.globl	work_begin, work_end
	.type	work_begin, @function
work_begin:
	push	%rbx
	mov	$111, %ebx
	.byte	0x64, 0x67, 0x90
	pop	%rbx
	ret
	.type	work_end, @function
work_end:
	push	%rbx
	mov	$222, %ebx
	.byte	0x64, 0x67, 0x90
	pop	%rbx
	ret

	/* movl $value, %eax; ret */
	.globl	work_write
	.type	work_write, @function
work_write:
	movb	$0xb8, (%rdi)
	mov	%esi, 1(%rdi)
	movb	$0xc3, 5(%rdi)
	ret

	.bss
	.balign	64
data:	.skip	64
	.section .note.GNU-stack, "", @progbits
