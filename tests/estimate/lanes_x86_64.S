/* Vector lanes in use; as lines_x86_64.S. */
#include "expect.inc"

	.set	N, 1000

	.globl	_start
_start:
	/* Scalars, XMM and YMM; what pextrd uses is not said. */
	mov	$N, %ecx
1:	lanes	5, 4, (250+500+1000+1000)/4
	addss	%xmm1, %xmm2
	mulsd	%xmm1, %xmm2
	addps	%xmm3, %xmm4
	vfmadd231ps %ymm3, %ymm4, %ymm5
	pextrd	$1, %xmm1, %eax
	dec	%ecx
	jnz	1b
	/* Three elements of eight, and of a register of four. */
	mov	$N, %ecx
	vmovdqu	mask(%rip), %ymm1
	lea	data(%rip), %rdx
1:	lanes	2, 2, (375+750)/2
	vmaskmovps (%rdx), %ymm1, %ymm2
	vmaskmovps (%rdx), %xmm1, %xmm2
	dec	%ecx
	jnz	1b
	mov	$N, %ecx
1:	lanes	1, 0, 0
	pextrd	$1, %xmm1, %eax
	dec	%ecx
	jnz	1b

	mov	$60, %eax
	xor	%edi, %edi
	syscall

	.data
	.balign	64
mask:	.long	-1, -1, -1, 0, 0, 0, 0, 0
data:	.skip	64
