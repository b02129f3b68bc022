mov r9, 5
x:	dec r9
	jne x
