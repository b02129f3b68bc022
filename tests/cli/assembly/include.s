.L1:
"x": .include "/etc/hostname"
	addq %rax, %rbx
	jne .L1
