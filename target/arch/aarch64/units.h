/* Interface between arch.c and the two folders for privilege levels. */
#ifndef ARCH_AARCH64_UNITS_H
#define ARCH_AARCH64_UNITS_H

#include "common/wire.h"

/* Run a function of the runtime as a kernel is run, with its faults caught;
 * false if it faulted. */
bool units_try(void (*function)(void));

/* Find the register files that kernels may use, after the units were
 * enabled. */
void units_probe(void);

/* Does the cycle counter count here?  Also finds out whether event counter 0
 * does, which samples have if it does. */
bool units_core_clock(void);

/* Rate of the core clock, in a loop of a millisecond against the REF clock; 0:
 * it does not count, or the rate of the REF clock is unknown. */
uint64_t units_core_mhz(void);

/* Facts that only the bare or the process folder knows. */
void units_describe(struct wire_line *w);

#endif
