/* Accesses of AArch64 whose lines are known in closed form; as
 * lines_x86_64.S. */
#include "expect.inc"

	.set	N, 1000

/* x0 = data + offset, x1 = N */
	.macro	begin offset
	adrp	x0, data
	add	x0, x0, :lo12:data
	add	x0, x0, #\offset
	mov	x1, #N
	.endm

	.macro	next stride, top
	add	x0, x0, #\stride
	sub	x1, x1, #1
	cbnz	x1, \top
	.endm

	.globl	_start
_start:
	/* Unit stride of 16 bytes: one line; from 8 on, 1 + 16/64 lines. */
	begin	0
1:	expect	N, N, 16*N
	ldr	q0, [x0]
	next	16, 1b
	begin	8
1:	expect	N, N+N/4, 16*N
	str	q0, [x0]
	next	16, 1b
	/* Pairs: 32 bytes from 48 on; 16 bytes from 56 on. */
	begin	48
1:	expect	N, 2*N, 32*N
	ldp	q0, q1, [x0]
	next	64, 1b
	begin	56
1:	expect	N, 2*N, 16*N
	stp	x2, x3, [x0]
	next	64, 1b
	/* Scalars: within a line, and across two. */
	begin	0
1:	expect	N, N, 8*N
	ldr	x2, [x0], #0
	next	8, 1b
	begin	63
1:	expect	N, 2*N, 2*N
	ldrh	w2, [x0]
	next	64, 1b
	/* 64 bytes from 32 on: as they lie, by twos, and by fours. */
	begin	32
1:	expect	N, 2*N, 64*N
	ld1	{v0.4s-v3.4s}, [x0]
	next	64, 1b
	begin	48
1:	expect	N, 2*N, 32*N
	st2	{v0.16b-v1.16b}, [x0]
	next	64, 1b
	begin	32
1:	expect	N, 2*N, 64*N
	ld4	{v0.8h-v3.8h}, [x0]
	next	64, 1b
	begin	0
1:	expect	N, N, 4*N
	ld1r	{v0.4s}, [x0]
	next	64, 1b
	/* Loads and stores the same place. */
	begin	0
1:	expect	N, N, 8*N
	ldadd	x2, x3, [x0]
	next	64, 1b
	begin	0
1:	expect	2*N, 2*N, 16*N
	ldxr	x2, [x0]
	stxr	w3, x2, [x0]
	next	64, 1b

	mov	x8, #93
	mov	x0, #0
	svc	#0

	.bss
	.balign	4096
data:	.skip	131072
