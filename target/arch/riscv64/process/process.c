/* RISC-V in U-mode under an operating system.  The cycle CSR, where it can be
 * read at all, may count another hart's cycles or - in an emulator - the
 * host's; cycles come from the kernel's counters, if it lends them, and the
 * `time` CSR is what it says. */
#include "target/arch.h"
#include "target/arch/riscv64/units.h"
#include "target/boot/linux/linux.h"

enum {
	NS_PER_S = 1000 * 1000 * 1000,
	/* Long against the microseconds it takes to read two clocks. */
	CALIBRATE_NS = 20 * 1000 * 1000,
};

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
	uint64_t from_ns = boot_time_ns();
	uint64_t from = arch_ref_now();
	uint64_t ns, ticks;

	do {
		ns = boot_time_ns() - from_ns;
		ticks = arch_ref_now() - from;
	} while (ns < CALIBRATE_NS);
	return ticks * NS_PER_S / ns;
}

void units_describe(struct wire_line *w)
{
	wire_word(w, "mode", "u");
}
