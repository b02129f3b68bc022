/* Kernels that probe the core.  They run like all kernels, so a fault is caught
 * and reported. */
	.intel_syntax noprefix
	.section .text.arch_probe, "ax", @progbits

/* The counter ecx := edx:eax. */
	.globl	arch_probe_wrmsr
	.hidden	arch_probe_wrmsr
arch_probe_wrmsr:
	wrmsr
	ret

/* [rdi] := the register ecx. */
	.globl	arch_probe_rdmsr
	.hidden	arch_probe_rdmsr
arch_probe_rdmsr:
	rdmsr
	mov	[rdi], eax
	mov	[rdi + 4], edx
	ret

/* rcx times a chain of sixteen 1-cycle additions: 18 instructions each. */
	.globl	arch_probe_chain
	.hidden	arch_probe_chain
	.p2align 6
arch_probe_chain:
1:
	.rept	16
	add	rax, rdx
	.endr
	sub	rcx, 1
	jnz	1b
	ret

	.section .note.GNU-stack, "", @progbits
