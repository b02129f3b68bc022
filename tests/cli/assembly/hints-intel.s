	.intel_syntax noprefix
.L1:
	add	rax, qword ptr [rdi]
	add	rdi, 8
	jmp	short .L2
.L2:
	cmp	rdi, rsi
	jb,pt	near ptr .L1
