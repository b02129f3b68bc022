.L:
	mov %ecx, %eax
	shl %cl, %rdx
	shr %cl, %rsi
	dec %rcx
	jnz .L
