/* Accesses of x86-64 whose lines are known in closed form.  Each loop runs N
 * times over its own stretch of `data`, which begins at a line. */
#include "expect.inc"

	.set	N, 1000

/* rdi = data + offset, ecx = N */
	.macro	begin offset
	lea	data+\offset(%rip), %rdi
	mov	$N, %ecx
	.endm

/* The next of N iterations, `stride` bytes on; the block's label is \top. */
	.macro	next stride, top
	add	$\stride, %rdi
	dec	%ecx
	jnz	\top
	.endm

	.globl	_start
_start:
	/* Unit stride of 32 bytes: one line; from 4 on, 1 + 32/64 lines. */
	begin	0
1:	expect	N, N, 32*N
	vmovups	(%rdi), %ymm0
	next	32, 1b
	begin	4
1:	expect	N, N+N/2, 32*N
	vmovups	%ymm0, (%rdi)
	next	32, 1b

	/* 16 bytes at 56 of each line. */
	begin	56
1:	expect	N, 2*N, 16*N
	movdqu	(%rdi), %xmm0
	next	64, 1b

	/* Scalars: within a line, and across two. */
	begin	0
1:	expect	N, N, 8*N
	mov	(%rdi), %rax
	next	8, 1b
	begin	62
1:	expect	N, 2*N, 4*N
	mov	(%rdi), %eax
	next	64, 1b

	/* Loads and stores the same place: one access. */
	begin	0
1:	expect	N, N, 4*N
	addl	$1, (%rdi)
	next	64, 1b
	begin	0
1:	expect	N, N, 8*N
	lock addq $1, (%rdi)
	next	64, 1b
	begin	60
1:	expect	N, 2*N, 8*N
	lock cmpxchg %rax, (%rdi)
	next	64, 1b

	/* 4 bytes at the end of a line, whatever the emulator reads. */
	begin	60
1:	expect	N, N, 4*N
	vfmadd231ss (%rdi), %xmm1, %xmm2
	next	64, 1b

	/* The stack: two instructions, one access each. */
	begin	0
1:	expect	2*N, 2*N, 16*N
	push	%rax
	pop	%rax
	next	1, 1b
	/* Reads a line and writes the stack's. */
	begin	0
1:	expect	2*N, 3*N, 24*N
	push	(%rdi)
	pop	%rax
	next	64, 1b
	/* Two lines of a copy. */
	begin	0
	lea	data+32768(%rip), %rsi
1:	expect	N, 2*N, 16*N
	movsq
	dec	%ecx
	jnz	1b

	/* Eight elements in eight lines, in one, and four of eight. */
	begin	0
	jmp	2f
1:	expect	N, 8*N, 32*N
	vgatherdps %ymm2, (%rdi,%ymm3), %ymm0
	dec	%ecx
	jz	3f
2:	vpcmpeqd %ymm2, %ymm2, %ymm2
	vmovdqa	far(%rip), %ymm3
	jmp	1b
3:	begin	0
	vpxor	%ymm3, %ymm3, %ymm3
	jmp	2f
1:	expect	N, N, 32*N
	vgatherdps %ymm2, (%rdi,%ymm3), %ymm0
	dec	%ecx
	jz	3f
2:	vpcmpeqd %ymm2, %ymm2, %ymm2
	jmp	1b
3:	begin	0
	vmovdqa	far(%rip), %ymm3
	jmp	2f
1:	expect	N, 4*N, 16*N
	vgatherdps %ymm2, (%rdi,%ymm3), %ymm0
	dec	%ecx
	jz	3f
2:	vmovdqa	half(%rip), %ymm2
	jmp	1b
3:
	/* Four of eight elements end at the line's end. */
	vmovdqa	half(%rip), %ymm2
	begin	48
1:	expect	N, N, 16*N
	vmaskmovps (%rdi), %ymm2, %ymm0
	next	64, 1b
	begin	48
1:	expect	N, N, 16*N
	vmaskmovps %ymm0, %ymm2, (%rdi)
	next	64, 1b
	/* The same at an address that is relative to the instruction. */
	begin	0
1:	expect	N, N, 16*N
	vmaskmovps edge(%rip), %ymm2, %ymm0
	next	0, 1b

	mov	$60, %eax
	xor	%edi, %edi
	syscall

	.data
	.balign	64
far:	.long	0, 64, 128, 192, 256, 320, 384, 448
	.balign	64
half:	.long	-1, -1, -1, -1, 0, 0, 0, 0
	.skip	16
edge:	.skip	32
	.bss
	.balign	4096
data:	.skip	131072
