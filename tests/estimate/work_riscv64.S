/* The measured part of guests.c; as work_x86_64.S. */
#include "expect.inc"

	.text
	.globl	work
	.type	work, @function
work:
	li	a1, 1000
	lla	a2, data
1:	expect	1000*CALLS, 1000*CALLS, 8000*CALLS
	ld	a0, 0(a2)
	addi	a1, a1, -1
	bnez	a1, 1b
	ret

	.globl	work_tail
work_tail:
	tail	region

	.globl	work_begin
	.type	work_begin, @function
work_begin:
	li	a1, 111
	.byte	19, 0, 0, 0
	ret
	.globl	work_end
	.type	work_end, @function
work_end:
	li	a1, 222
	.byte	19, 0, 0, 0
	ret

	/* li a0, value; ret */
	.globl	work_write
	.type	work_write, @function
work_write:
	slli	a1, a1, 20
	ori	a1, a1, 0x513
	sw	a1, 0(a0)
	li	a1, 0x8067
	sw	a1, 4(a0)
	fence.i
	ret

	.bss
	.balign	64
data:	.skip	64
	.section .note.GNU-stack, "", @progbits
