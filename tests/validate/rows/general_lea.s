.L:
	lea 4(%rax,%rbx), %r8
	lea 4(%rax,%rbx), %r9
	lea 4(%rax,%rbx), %r10
	lea 4(%rax,%rbx), %r11
	dec %rcx
	jnz .L
