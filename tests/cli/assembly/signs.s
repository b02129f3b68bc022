	.intel_syntax noprefix
.L1:
	mov eax, not not 1
	jne .L1
