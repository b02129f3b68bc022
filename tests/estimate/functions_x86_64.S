# Functions that are entered in other ways than by a call: code before one goes on
# in it, a loop goes back to the first instruction of one, and a jump leads to it.
	.globl _start, inner, head
	.text
_start:
	call before
	call before
	movl $5, %ecx
	call head
	movl $5, %ecx
	call tail
	movl $60, %eax
	xorl %edi, %edi
	syscall

before:
	nop
	nop
	.type inner, @function
inner:
	nop
	nop
	nop
	ret

	.type head, @function
head:
	decl %ecx
	jnz head
	ret

tail:
	jmp head
	.section .note.GNU-stack, "", @progbits
