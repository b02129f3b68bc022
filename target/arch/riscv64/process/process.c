/* RISC-V in U-mode under an operating system.  If the cycle CSR is readable, it
 * may count another hart's cycles or, in an emulator, the host's.  So cycles
 * come from the kernel's counters, if it provides them; the REF clock is the
 * `time` CSR. */
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

/* Only the device tree has the rate, and a process may not be able to read
 * it. */
uint64_t arch_ref_hz(void)
{
	return units_have_time() ? rate_measure() : 0;
}

bool units_device_time(uint64_t *ret_now)
{
	(void)ret_now;
	return false;
}

void units_describe(struct wire_line *w)
{
	wire_word(w, "mode", "u");
}
