	.section	__TEXT,__literal8,8byte_literals
	.p2align	3, 0x0                          ; -- Begin function dot
lCPI0_0:
	.quad	0x3ff0000000000000              ; double 1
	.section	__TEXT,__text,regular,pure_instructions
_dot:                                   ; @dot
; %bb.0:
	adrp	x8, lCPI0_0@PAGE
	ldr	d0, [x8, lCPI0_0@PAGEOFF]
LBB0_1:                                 ; =>This Inner Loop Header: Depth=1
	ldr	q1, [x0], #16
	fmla.2d	v0, v1, v1
	subs	x1, x1, #2
	b.ne	LBB0_1                          ; next; not a statement
; %bb.2:
	ret
.subsections_via_symbols
