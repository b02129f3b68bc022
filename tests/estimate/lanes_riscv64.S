/* Vector lanes in use of V; as lines_x86_64.S.  B is the size of a vector
 * register in bytes. */
#include "expect.inc"

	.set	N, 1001
	.set	E, 2*B/4	/* elements of 32 bits in two registers */
	.set	ROUNDS, (N+E-1)/E
	.set	SHARE, 1000*N/(ROUNDS*E)

	.option	norelax
	.globl	_start
_start:
	/* The last round is not full.  The store says what vl was; masks of
	 * arithmetic are not read. */
	lla	a0, data
	li	a1, N
	vsetvli	t0, zero, e32, m2, ta, ma
	vmclr.m	v0
1:	lanes	4, 3, SHARE
	vsetvli	a3, a1, e32, m2, ta, ma
	vadd.vv	v8, v8, v10
	vadd.vv	v8, v8, v10, v0.t
	vfmacc.vv v8, v10, v12
	vse32.v	v8, (a0)
	slli	a4, a3, 2
	add	a0, a0, a4
	sub	a1, a1, a3
	bnez	a1, 1b

	/* One element of an eighth of a register's; a mask without elements;
	 * a whole register. */
	li	a1, N
1:	lanes	4, 4, (2*8000/B+1000)/4
	vsetivli a3, 1, e8, mf8, ta, ma
	lla	a0, data
	vle8.v	v8, (a0)
	vadd.vi	v8, v8, 1
	vle8.v	v8, (a0), v0.t
	vl1re8.v v8, (a0)
	addi	a1, a1, -1
	bnez	a1, 1b

	/* The type is from elsewhere. */
	li	a1, N
1:	lanes	2, 0, 0
	vadd.vv	v8, v8, v10
	vle8.v	v8, (a0)
	addi	a1, a1, -1
	bnez	a1, 1b

	li	a7, 93
	li	a0, 0
	ecall

	.data
	.balign	64
data:	.skip	8192
