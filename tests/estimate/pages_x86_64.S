# 10 walks over a load in each of 1,000 pages, then 20,000 jumps that depend on a
# bit of a random number.
	.globl _start
	.text
_start:
	movl $10, %ebx
1:	leaq area(%rip), %rdi
	movl $1000, %ecx
2:	movl (%rdi), %eax
	addq $4096, %rdi
	decl %ecx
	jnz 2b
	decl %ebx
	jnz 1b
	movl $20000, %ecx
	movq $6364136223846793005, %rdx
	movq %rdx, %rax
3:	imulq %rdx, %rax
	incq %rax
	btq $40, %rax
	jc 4f
	nop
4:	decl %ecx
	jnz 3b
	movl $60, %eax
	xorl %edi, %edi
	syscall

	.bss
	.p2align 12
area:	.skip 1000 * 4096
	.section .note.GNU-stack, "", @progbits
