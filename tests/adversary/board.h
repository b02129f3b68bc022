/* The runtime's slots and clock on a simulated core: target/core/measure.c,
 * wake.c and patience.c run on it unchanged. */
#ifndef ADVERSARY_BOARD_H
#define ADVERSARY_BOARD_H

#include "tests/adversary/core.h"

/* What runs from now on runs there. */
void board_attach(struct core *c, const struct kernels *k);

/* Rows of one kernel whose three lengths nothing disturbed, since the last
 * call. */
unsigned board_clean_rows(void);

#endif
