# LLVM-MCA-BEGIN
	addw	$0x1234, %ax
	decq	%r15
# LLVM-MCA-END
