/* Between arch.c and the two folders that know the privilege. */
#ifndef ARCH_AARCH64_UNITS_H
#define ARCH_AARCH64_UNITS_H

#include "common/wire.h"

/* Find the register files kernels may use, after the units were enabled. */
void units_probe(void);

/* Do the cycle counter and event counter 0 count here? */
bool units_core_clock(void);

/* What only the bare or the process side can say. */
void units_describe(struct wire_line *w);

#endif
