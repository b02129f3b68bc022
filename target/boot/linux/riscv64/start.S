/* Entry and system calls on RISC-V. */
	.section .text.start, "ax", @progbits
	.globl	_start
	.type	_start, @function
_start:
	li	s0, 0
	li	ra, 0
	mv	a0, sp
	call	linux_main
	unimp
	.size	_start, . - _start

	.globl	linux_raw
	.hidden	linux_raw
	.type	linux_raw, @function
linux_raw:
	mv	t0, a0
	mv	a0, a1
	mv	a1, a2
	mv	a2, a3
	mv	a3, a4
	mv	a4, a5
	mv	a5, a6
	mv	a7, t0
	ecall
	.globl	linux_raw_called
	.hidden	linux_raw_called
linux_raw_called:
	ret
	.size	linux_raw, . - linux_raw

	.section .note.GNU-stack, "", @progbits
