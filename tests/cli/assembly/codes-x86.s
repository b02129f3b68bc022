	.section	.rodata
.Lones:
	.long	0x3f800000, 0x3f800000
	.text
loop:
	# vfmadd231pd %ymm1, %ymm2, %ymm0, in two directives
	.byte	0xc4, 0xe2
	.byte	0xed, 0xb8, 0xc1
	.value	0x0148, -0x6f40
	.4byte	0x90909090
	decq	%rcx
	jne	loop
