# p *= a[i], for RISC-V
.L1:
	ld	t0, 0(a0)
	addi	a0, a0, 8
	mul	a2, a2, t0
	bne	a0, a3, .L1
