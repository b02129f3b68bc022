/* Entry and system calls on AArch64. */
	.section .text.start, "ax", %progbits
	.globl	_start
	.type	_start, %function
_start:
	mov	x29, #0
	mov	x30, #0
	mov	x0, sp
	bl	linux_main
	udf	#0
	.size	_start, . - _start

	.globl	linux_raw
	.hidden	linux_raw
	.type	linux_raw, %function
linux_raw:
	mov	x8, x0
	mov	x0, x1
	mov	x1, x2
	mov	x2, x3
	mov	x3, x4
	mov	x4, x5
	mov	x5, x6
	svc	#0
	.globl	linux_raw_called
	.hidden	linux_raw_called
linux_raw_called:
	ret
	.size	linux_raw, . - linux_raw

	.section .note.GNU-stack, "", %progbits
