/* A hypervisor that keeps the event counters for itself, and leaves the cycle
 * counter to EL1: no instructions are counted there.  U-Boot, loaded at NEXT,
 * runs at EL1.  Fields: Arm ARM (DDI 0487), D17. */
#define NEXT 0x50000000
#define HCR_RW (1 << 31)
#define CNTHCTL_TIMERS 3         /* EL1 has the physical counter and timer */
#define CPTR_NO_TRAPS 0x32ff     /* RES1 */
#define EL1H_MASKED 0x3c5

	.text
	.globl	_start
_start:
	mov	x1, #HCR_RW
	msr	hcr_el2, x1
	mov	x1, #CNTHCTL_TIMERS
	msr	cnthctl_el2, x1
	msr	cntvoff_el2, xzr
	mov	x1, #CPTR_NO_TRAPS
	msr	cptr_el2, x1
	mrs	x1, midr_el1
	msr	vpidr_el2, x1
	mrs	x1, mpidr_el1
	msr	vmpidr_el2, x1
	msr	mdcr_el2, xzr		/* HPMN: 0 event counters below EL2 */
	mov	x1, #EL1H_MASKED
	msr	spsr_el2, x1
	ldr	x1, =NEXT
	msr	elr_el2, x1
	isb
	eret
