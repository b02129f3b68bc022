/* Interface between arch.c and the two folders for privilege levels. */
#ifndef ARCH_RISCV64_UNITS_H
#define ARCH_RISCV64_UNITS_H

#include <stdbool.h>

#include "common/wire.h"

/* Find the clocks and the register files that kernels may use, after the units
 * were enabled and the counters started. */
void units_probe(void);

/* Can `time` be read, as a CSR or from a device?  If not, the REF clock is the
 * core's cycles, at an unknown rate, and there are no deadlines.  False before
 * units_probe(). */
bool units_have_time(void);

/* Read `time`, by CSR or device, in one call: each run of a kernel asks.  False,
 * and no time, if it cannot be read. */
bool units_time(uint64_t *ret_now);

/* The count of `time` from a device, which only the bare or the process folder
 * knows; false without one. */
bool units_device_time(uint64_t *ret_now);

/* Does `cycle` count here?  Also finds out whether `instret` does, which samples
 * have if it does. */
bool units_core_clock(void);

/* Rate of the core clock, in a loop against the REF clock, found once; 0:
 * it does not count, or the rate of the REF clock is unknown. */
uint64_t units_core_mhz(void);

/* Facts that only the bare or the process folder knows. */
void units_describe(struct wire_line *w);

#endif
