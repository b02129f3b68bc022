/* The measured part of guests.c; as work_x86_64.S. */
#include "expect.inc"

	.text
	.globl	work
	.type	work, %function
work:
	mov	x1, #1000
	adrp	x2, data
	add	x2, x2, :lo12:data
1:	expect	1000*CALLS, 1000*CALLS, 8000*CALLS
	ldr	x0, [x2]
	sub	x1, x1, #1
	cbnz	x1, 1b
	ret

	.globl	work_tail
work_tail:
	b	region

	.globl	work_begin
	.type	work_begin, %function
work_begin:
	mov	x1, #111
	.byte	213, 3, 32, 31
	ret
	.globl	work_end
	.type	work_end, %function
work_end:
	mov	x1, #222
	.byte	213, 3, 32, 31
	ret

	/* mov w0, #value; ret */
	.globl	work_write
	.type	work_write, %function
work_write:
	mov	w2, #0x52800000
	orr	w2, w2, w1, lsl #5
	movz	w3, #0x03c0
	movk	w3, #0xd65f, lsl #16
	stp	w2, w3, [x0]
	dc	cvau, x0
	dsb	ish
	ic	ivau, x0
	dsb	ish
	isb
	ret

	.bss
	.balign	64
data:	.skip	64
	.section .note.GNU-stack, "", %progbits
