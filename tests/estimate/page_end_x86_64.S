/* A loop whose addition lies across the end of a page: 2 instructions, 1000
 * times 4, and 3 more. */
	.globl _start
	.text
	.balign 4096
_start:	mov $1000, %ecx
	jmp loop
	.org 4096 - 5
loop:	add $1, %eax
	/* At the page's end less 2; 5 bytes. */
	add $0x12345678, %eax
	dec %ecx
	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
