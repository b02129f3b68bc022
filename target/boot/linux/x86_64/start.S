/* Entry, system calls and return from signals on x86-64. */
	.intel_syntax noprefix

	.section .text.start, "ax", @progbits
	.globl	_start
	.type	_start, @function
_start:
	xor	ebp, ebp
	mov	rdi, rsp
	and	rsp, -16
	call	linux_main
	ud2
	.size	_start, . - _start

/* linux_raw(number, a, b, c, d, e, f): the seventh argument is on the stack,
 * and the kernel expects the fourth in r10. */
	.globl	linux_raw
	.hidden	linux_raw
	.type	linux_raw, @function
linux_raw:
	mov	rax, rdi
	mov	rdi, rsi
	mov	rsi, rdx
	mov	rdx, rcx
	mov	r10, r8
	mov	r8, r9
	mov	r9, [rsp + 8]
	syscall
	.globl	linux_raw_called
	.hidden	linux_raw_called
linux_raw_called:
	ret
	.size	linux_raw, . - linux_raw

/* Where a signal handler returns to: rt_sigreturn, call 15. */
	.globl	linux_restorer
	.hidden	linux_restorer
	.type	linux_restorer, @function
linux_restorer:
	mov	eax, 15
	syscall
	ud2
	.size	linux_restorer, . - linux_restorer

	.section .note.GNU-stack, "", @progbits
