/* AArch64: struct sigcontext of the kernel's asm/sigcontext.h. */
#include "target/boot/linux/generic.h"

const char *const linux_cpuinfo_keys[] = { NULL };
const char *const linux_id_key = "midr";
const char *const linux_id_file = "regs/identification/midr_el1";

/* linux/audit.h */
const uint32_t linux_audit_arch = 0xc00000b7;

/* R_AARCH64_RELATIVE */
const uint32_t linux_relative = 1027;

enum {
	/* fault_address, x0..x30, sp, pc, pstate */
	X0 = CONTEXT_REGS + 1,
	SP = X0 + 31,
	PC = X0 + 32,
};

/* Return from a signal goes through the vDSO; the restorer stays empty. */
void linux_sigaction(uint64_t *words, void *handler, uint64_t flags)
{
	words[0] = (uintptr_t)handler;
	words[1] = flags;
	words[2] = 0;
	words[3] = 0;
}

uint64_t linux_context_pc(const void *context)
{
	return ((const uint64_t *)context)[PC];
}

uint64_t linux_context_sp(const void *context)
{
	return ((const uint64_t *)context)[SP];
}

uint64_t linux_context_code(const void *context, int si_code)
{
	(void)context;
	return (uint64_t)si_code;
}

void linux_context_abort(void *context, struct arch_run *run)
{
	uint64_t *c = context;

	c[PC] = (uintptr_t)arch_measure_abort;
	c[X0] = (uintptr_t)run;
}
