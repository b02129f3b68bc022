/* Registers with known values, for guest.h: isa_guest.state_program. */
	.altmacro

	.macro	vector n
	mov	$(0x40+\n), %eax
	vmovd	%eax, %xmm0
	vpbroadcastb %xmm0, %ymm\n
	.endm
	.macro	one n
	vector	\n
	.endm
	.macro	general name, n
	movabs	$(0x1357924680ac0000+\n), %\name
	.endm

	.globl	_start
_start:
	.set	i, 15
	.rept	16
	one	%i
	.set	i, i-1
	.endr
	general	rax, 0
	general	rcx, 1
	general	rdx, 2
	general	rbx, 3
	general	rbp, 5
	general	rsi, 6
	general	rdi, 7
	general	r8, 8
	general	r9, 9
	general	r10, 10
	general	r11, 11
	general	r12, 12
	general	r13, 13
	general	r14, 14
	general	r15, 15
	jmp	1f	/* the emulator keeps no register elsewhere */
1:	nopl	0x7e7a51(%rax)
	mov	$60, %eax
	xor	%edi, %edi
	syscall
