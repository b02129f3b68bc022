/* Accesses of SVE whose lines are known in closed form; as lines_x86_64.S.  B is
 * the size of a vector register in bytes. */
#include "expect.inc"

	.set	N, 1000
	.set	E, B/4		/* elements of 32 bits in a register */

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
	ptrue	p0.b
	mov	x2, #0
	/* Unit stride: one line or as many as a register has; from 4 on,
	 * 1 + B/64. */
	begin	0
1:	expect	N, N*((B+63)/64), B*N
	ld1w	{z0.s}, p0/z, [x0, x2, lsl #2]
	next	B, 1b
	begin	4
1:	expect	N, N+N*B/64, B*N
	st1w	{z0.s}, p0, [x0]
	next	B, 1b
	/* Registers behind: by their size, and by an index. */
	begin	4
1:	expect	N, N+N*B/64, B*N
	ld1d	{z0.d}, p0/z, [x0, #1, mul vl]
	next	B, 1b
	mov	x2, #62		/* B/4 bytes from 62 on */
	begin	0
1:	expect	N, 2*N, B/4*N
	ld1b	{z0.s}, p0/z, [x0, x2]
	next	64, 1b

	/* Three elements. */
	mov	x3, #3
	whilelo	p1.s, xzr, x3
	begin	56
1:	expect	N, 2*N, 12*N
	ld1w	{z0.s}, p1/z, [x0]
	next	64, 1b
	begin	52
1:	expect	N, N, 12*N
	st1w	{z0.s}, p1, [x0]
	next	64, 1b
	/* No element. */
	pfalse	p2.b
	begin	0
1:	expect	0, 0, 0
	ld1w	{z0.s}, p2/z, [x0]
	next	64, 1b
	/* Every second element. */
	ptrue	p3.d
	begin	0
1:	expect	N, N*((B+63)/64), B/2*N
	ld1w	{z0.s}, p3/z, [x0]
	next	B, 1b

	/* Structures of two and four, from 4 on. */
	begin	4
1:	expect	N, N+N*2*B/64, 2*B*N
	ld2w	{z0.s, z1.s}, p0/z, [x0]
	next	2*B, 1b
	begin	4
1:	expect	N, N+N*4*B/64, 4*B*N
	st4b	{z0.b-z3.b}, p0, [x0, #4, mul vl]
	next	4*B, 1b

	/* Gathers: a line for each element; the same line; also into the
	 * register of the indices. */
	mov	w3, #16
	index	z4.s, #0, w3
	index	z5.d, #0, #8
	begin	0
1:	expect	N, N*E, B*N
	ld1w	{z0.s}, p0/z, [x0, z4.s, sxtw #2]
	next	0, 1b
	begin	0
	mov	z6.d, z4.d
1:	expect	N, N*E, B*N
	ld1w	{z4.s}, p0/z, [x0, z4.s, uxtw #2]
	mov	z4.d, z6.d
	next	0, 1b
	begin	0
1:	expect	N, N*E/2, B*N
	st1d	{z0.d}, p0, [x0, z5.d, lsl #3]
	next	0, 1b
	begin	0
	dup	z6.d, x0
	add	z6.d, z6.d, #56
1:	expect	N, N, B/2*N
	ld1w	{z0.d}, p0/z, [z6.d, #8]
	next	0, 1b

	/* 16 bytes, and 4, for all elements. */
	begin	56
1:	expect	N, 2*N, 16*N
	ld1rqw	{z0.s}, p0/z, [x0]
	next	64, 1b
	begin	60
1:	expect	N, N, 4*N
	ld1rw	{z0.s}, p0/z, [x0]
	next	64, 1b
	/* First faulting and non-faulting, where nothing faults. */
	setffr
	begin	4
1:	expect	N, N+N*B/64, B*N
	ldff1w	{z0.s}, p0/z, [x0]
	next	B, 1b
	begin	4
1:	expect	N, N+N*B/64, B*N
	ldnf1d	{z0.d}, p0/z, [x0]
	next	B, 1b
	/* A whole register. */
	begin	4
1:	expect	N, N+N*B/64, B*N
	ldr	z0, [x0]
	next	B, 1b

	/* The last instruction of a page. */
	begin	4
	b	1f
	.balign	4096
	.skip	4092
1:	expect	N, N+N*B/64, B*N
	ld1w	{z0.s}, p0/z, [x0]
	next	B, 1b

	mov	x8, #93
	mov	x0, #0
	svc	#0

	.data
	.balign	4096
data:	.skip	262144+65536
