# Sixteen copies of 4,096 bytes and a fill of 512 words, each one instruction.
	.globl _start
	.text
_start:
	movl $16, %ebx
1:
	leaq from(%rip), %rsi
	leaq to(%rip), %rdi
	movl $4096, %ecx
	rep movsb
	decl %ebx
	jnz 1b
	leaq to(%rip), %rdi
	movl $512, %ecx
	rep stosq
	movl $60, %eax
	xorl %edi, %edi
	syscall

	.bss
from:	.skip 4096
to:	.skip 4096
