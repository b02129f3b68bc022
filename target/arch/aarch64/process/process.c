/* AArch64 at EL0 under an operating system: the counters of the core belong
 * to the kernel, which may count for us; the generic timer is for everybody. */
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
