/* The runtime's slots and clock on a simulated core: target/core/measure.c,
 * probes.c and baseline.c run on it unchanged. */
#ifndef ADVERSARY_BOARD_H
#define ADVERSARY_BOARD_H

#include "tests/adversary/core.h"

/* Use this core and these kernels from now on. */
void board_attach(struct core *c, const struct kernels *k);

/* Rows of one kernel whose three lengths nothing disturbed, since the last
 * call. */
unsigned board_clean_rows(void);

#endif
