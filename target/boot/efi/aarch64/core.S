/* Where a core enters that PSCI's CPU_ON started (Arm DEN 0022, 6.4): at the
 * level of the caller, MMU and caches off, x0: struct core_boot of cores.c, which
 * is clean to memory.  It takes the translation of the first core, so that both
 * see memory alike, and has a stack only if it is still expected. */
#include "target/boot/efi/aarch64/core.h"

	.macro	take_over el
	ldr	x1, [x0, #CORE_MAIR]
	msr	mair_el\el, x1
	ldr	x1, [x0, #CORE_TCR]
	msr	tcr_el\el, x1
	ldr	x1, [x0, #CORE_TTBR]
	msr	ttbr0_el\el, x1
	ldr	x1, [x0, #CORE_TTBR1]
	cbz	x1, 3f
	msr	ttbr1_el1, x1
3:	ldr	x1, [x0, #CORE_VECTORS]
	msr	vbar_el\el, x1
	isb
	.if	\el == 1
	tlbi	vmalle1
	.else
	tlbi	alle2
	.endif
	ic	iallu
	dsb	nsh
	isb
	ldr	x1, [x0, #CORE_SCTLR]
	msr	sctlr_el\el, x1
	isb
	.endm

	.section .text.core_entry, "ax", @progbits
	.globl	core_entry
	.hidden	core_entry
	.balign	64
core_entry:
	msr	daifset, #0xf
	mov	x20, x0
	mrs	x1, CurrentEL
	cmp	x1, #8
	b.eq	1f
	take_over 1
	b	2f
1:	ldr	x1, [x0, #CORE_HCR]
	msr	hcr_el2, x1
	isb
	take_over 2
2:	ldr	x0, [x20, #CORE_NUMBER]
	ldr	x21, [x20, #CORE_CALLED]
	add	x2, x0, #1
4:	ldaxr	x1, [x21]
	cmp	x1, x2
	b.ne	5f
	stlxr	w1, xzr, [x21]
	cbnz	w1, 4b
	ldr	x1, [x20, #CORE_STACK]
	mov	sp, x1
	bl	cores_enter
5:	ldr	x1, [x20, #CORE_CONDUIT]
	ldr	x0, [x20, #CORE_OFF]
	cbz	x1, 6f
	hvc	#0
	b	7f
6:	smc	#0
7:	wfi
	b	7b
	.globl	core_entry_end
	.hidden	core_entry_end
core_entry_end:

/* uint64_t core_psci(function, a, b, c, uint64_t by_hvc) */
	.section .text.core_psci, "ax", @progbits
	.globl	core_psci
	.hidden	core_psci
core_psci:
	cbz	x4, 1f
	hvc	#0
	ret
1:	smc	#0
	ret

	.section .note.GNU-stack, "", @progbits
