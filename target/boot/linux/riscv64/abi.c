/* RISC-V: struct user_regs_struct of the kernel's asm/ptrace.h. */
#include "target/boot/linux/generic.h"

const char *const linux_cpuinfo_keys[] = { "mvendorid", "marchid", "mimpid",
					   "uarch", NULL };
const char *const linux_id_key = NULL, *const linux_id_file = NULL;

/* linux/audit.h */
const uint32_t linux_audit_arch = 0xc00000f3;

/* R_RISCV_RELATIVE */
const uint32_t linux_relative = 3;

enum {
	/* pc is in the place of x0. */
	PC = CONTEXT_REGS,
	SP = CONTEXT_REGS + 2,
	A0 = CONTEXT_REGS + 10,
};

/* This ABI has no restorer: the mask follows the flags. */
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
	c[A0] = (uintptr_t)run;
}
