/* Between arch.c and the two folders that know the privilege. */
#ifndef ARCH_RISCV64_UNITS_H
#define ARCH_RISCV64_UNITS_H

#include <stdbool.h>

#include "common/wire.h"

/* Find the clocks and the register files kernels may use, after the units were
 * enabled and the counters started. */
void units_probe(void);

/* Can `time` be read?  Else the REF clock is the core's cycles, at a rate that
 * is not known, and no deadline can be given.  False before units_probe() has
 * found out. */
bool units_have_time(void);

/* Do cycle and instret count here? */
bool units_core_clock(void);

/* What only the bare or the process side can say. */
void units_describe(struct wire_line *w);

#endif
