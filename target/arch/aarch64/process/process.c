/* AArch64 at EL0 under an operating system: the kernel owns the core's counters
 * and may count for the process; the generic timer is readable. */
#include "target/arch.h"
#include "target/arch/aarch64/units.h"
#include "target/boot/linux/linux.h"

void arch_init(void)
{
	units_probe();
}

enum arch_clock arch_best_clock(void)
{
	return linux_perf_open() && units_core_clock() ? ARCH_CLOCK_CORE
						       : ARCH_CLOCK_REF;
}

void units_describe(struct wire_line *w)
{
	wire_u64(w, "el", 0);
}
