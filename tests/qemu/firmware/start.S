/* Machine mode of QEMU's virt machine: entered at its reset with a0 = hart,
 * a1 = device tree. */
	.section .text.start, "ax", @progbits
	.globl	_start
_start:
	la	sp, stack_top
	la	t0, trap
	csrw	mtvec, t0
	csrw	mscratch, sp
	jal	firmware_start

/* What the payload may not change is kept on a stack of our own; a0 and a1 are
 * the answer. */
	.balign	4
trap:
	csrrw	sp, mscratch, sp
	addi	sp, sp, -128
	sd	ra, 0(sp)
	sd	t0, 8(sp)
	sd	t1, 16(sp)
	sd	t2, 24(sp)
	sd	t3, 32(sp)
	sd	t4, 40(sp)
	sd	t5, 48(sp)
	sd	t6, 56(sp)
	sd	a0, 64(sp)
	sd	a1, 72(sp)
	sd	a2, 80(sp)
	sd	a3, 88(sp)
	sd	a4, 96(sp)
	sd	a5, 104(sp)
	sd	a6, 112(sp)
	sd	a7, 120(sp)
	addi	a0, sp, 64
	jal	firmware_trap
	ld	ra, 0(sp)
	ld	t0, 8(sp)
	ld	t1, 16(sp)
	ld	t2, 24(sp)
	ld	t3, 32(sp)
	ld	t4, 40(sp)
	ld	t5, 48(sp)
	ld	t6, 56(sp)
	ld	a0, 64(sp)
	ld	a1, 72(sp)
	ld	a2, 80(sp)
	ld	a3, 88(sp)
	ld	a4, 96(sp)
	ld	a5, 104(sp)
	ld	a6, 112(sp)
	ld	a7, 120(sp)
	addi	sp, sp, 128
	csrrw	sp, mscratch, sp
	mret

	.section .bss.stack, "aw", @nobits
	.balign	16
	.skip	8192
stack_top:
