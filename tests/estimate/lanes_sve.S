/* Vector lanes in use of NEON and SVE; as lines_x86_64.S.  B is the size of a
 * vector register in bytes. */
#include "expect.inc"

	.set	N, 1001
	.set	E, B/4		/* elements of 32 bits in a register */
	.set	ROUNDS, (N+E-1)/E
	.set	SHARE, 1000*N/(ROUNDS*E)

	.globl	_start
_start:
	mov	x1, #N
1:	lanes	6, 6, (125+250+500+500+1000+1000)/6
	fadd	h0, h1, h2
	fmadd	s0, s1, s2, s3
	fcmp	d0, d1
	add	v0.4h, v1.4h, v2.4h
	fmla	v0.4s, v1.4s, v2.s[1]
	ldr	q1, [sp]
	sub	x1, x1, #1
	cbnz	x1, 1b

	/* The last load is not full.  Predicates of arithmetic are not read. */
	adrp	x0, data
	add	x0, x0, :lo12:data
	mov	x1, #N
	mov	x2, #0
	whilelt	p0.s, x2, x1
1:	lanes	4, 3, (SHARE+1000+SHARE)/3
	ld1w	{z0.s}, p0/z, [x0, x2, lsl #2]
	fadd	z1.s, z0.s, z0.s
	fadd	z0.s, p0/m, z0.s, z1.s
	st1w	{z0.s}, p0, [x0, x2, lsl #2]
	incw	x2
	whilelt	p0.s, x2, x1
	b.mi	1b

	/* A predicate without elements. */
	pfalse	p1.b
	mov	x1, #N
1:	lanes	1, 1, 0
	ld1w	{z0.s}, p1/z, [x0]
	sub	x1, x1, #1
	cbnz	x1, 1b

	mov	x8, #93
	mov	x0, #0
	svc	#0

	.data
	.balign	64
data:	.skip	8192
