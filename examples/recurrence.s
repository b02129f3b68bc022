// a[i] = a[i-1] + b[i]*c[i], as compiled for AArch64
.L3:
	ldr	d1, [x0, x2, lsl 3]
	ldr	d2, [x1, x2, lsl 3]
	fmadd	d0, d1, d2, d0
	str	d0, [x3, x2, lsl 3]
	add	x2, x2, 1
	cmp	x2, x4
	bne	.L3
