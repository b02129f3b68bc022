/* Accesses of RV64 with V whose lines are known in closed form; as
 * lines_x86_64.S.  B is the size of a vector register in bytes. */
#include "expect.inc"

	.set	N, 1000
	.set	E, B/4		/* elements of 32 bits in a register */

/* a0 = data + offset, a1 = N */
	.macro	begin offset
	lla	a0, data+\offset
	li	a1, N
	.endm

	.macro	next stride, top
	addi	a0, a0, \stride
	addi	a1, a1, -1
	bnez	a1, \top
	.endm

	.option	norelax
	.globl	_start
_start:
	/* Scalars. */
	begin	0
1:	expect	N, N, 8*N
	ld	a2, 0(a0)
	next	8, 1b
	begin	60
1:	expect	N, 2*N, 8*N
	sd	a2, 0(a0)
	next	64, 1b
	begin	0
1:	expect	N, N, 8*N
	fld	fa0, 0(a0)
	next	64, 1b
	begin	0
1:	expect	N, N, 8*N
	amoadd.d a2, a3, (a0)
	next	64, 1b

	/* Unit stride: one line or as many as a register has; from 4 on,
	 * 1 + B/64. */
	vsetvli	t0, zero, e32, m1, ta, ma
	begin	0
1:	expect	N, N*((B+63)/64), B*N
	vle32.v	v8, (a0)
	next	B, 1b
	begin	4
1:	expect	N, N+N*B/64, B*N
	vse32.v	v8, (a0)
	next	B, 1b
	/* Two registers. */
	vsetvli	t0, zero, e32, m2, ta, ma
	begin	4
1:	expect	N, N+N*2*B/64, 2*B*N
	vle32.v	v8, (a0)
	next	2*B, 1b
	/* Tails: three elements. */
	vsetivli t0, 3, e32, m1, ta, ma
	begin	56
1:	expect	N, 2*N, 12*N
	vle32.v	v8, (a0)
	next	64, 1b
	begin	52
1:	expect	N, N, 12*N
	vse32.v	v8, (a0)
	next	64, 1b

	/* Strides of 64 and 16 bytes. */
	vsetvli	t0, zero, e32, m1, ta, ma
	li	a3, 64
	begin	0
1:	expect	N, N*E, B*N
	vlse32.v v8, (a0), a3
	next	0, 1b
	li	a3, 16
	begin	0
1:	expect	N, N*((E+3)/4), B*N
	vsse32.v v8, (a0), a3
	next	0, 1b
	/* Indices: a line each; the same line. */
	vid.v	v4
	vsll.vi	v4, v4, 6
	begin	0
1:	expect	N, N*E, B*N
	vluxei32.v v8, (a0), v4
	next	0, 1b
	vmv.v.i	v4, 0
	begin	60
1:	expect	N, N, B*N
	vsuxei32.v v8, (a0), v4
	next	64, 1b
	/* Masks: every second element; none. */
	vid.v	v4
	vand.vi	v4, v4, 1
	vmsne.vi v0, v4, 0
	li	a3, 64
	begin	0
1:	expect	N, N*E/2, B/2*N
	vlse32.v v8, (a0), a3, v0.t
	next	0, 1b
	begin	0
1:	expect	N, N*((B+63)/64), B/2*N
	vse32.v	v8, (a0), v0.t
	next	B, 1b
	vmclr.m	v0
	begin	0
1:	expect	0, 0, 0
	vle32.v	v8, (a0), v0.t
	next	B, 1b
	/* Segments of two, from 4 on. */
	begin	4
1:	expect	N, N+N*2*B/64, 2*B*N
	vlseg2e32.v v8, (a0)
	next	2*B, 1b
	/* Whole registers, from 4 on. */
	begin	4
1:	expect	N, N+N*B/64, B*N
	vs1r.v	v8, (a0)
	next	B, 1b
	begin	0
1:	expect	N, N*((2*B+63)/64), 2*B*N
	vl2re32.v v8, (a0)
	next	2*B, 1b

	li	a7, 93
	li	a0, 0
	ecall

	.data
	.balign	4096
data:	.skip	262144
