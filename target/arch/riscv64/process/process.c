/* RISC-V in U-mode under an operating system.  The cycle CSR, where it can be
 * read at all, may count another hart's cycles or - in an emulator - the
 * host's; cycles come from the kernel's counters, if it lends them, and the
 * `time` CSR is what it says. */
#include "target/arch.h"
#include "target/arch/riscv64/units.h"
#include "target/boot/linux/linux.h"
#include "target/core/rate.h"

void arch_init(void)
{
	units_probe();
}

enum arch_clock arch_best_clock(void)
{
	return linux_perf_open() && units_core_clock() ? ARCH_CLOCK_CORE
						       : ARCH_CLOCK_REF;
}

/* The rate stands in the device tree only, which a process need not see. */
uint64_t arch_ref_hz(void)
{
	return units_have_time() ? rate_measure() : 0;
}

void units_describe(struct wire_line *w)
{
	wire_word(w, "mode", "u");
}
