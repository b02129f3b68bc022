/* Names of code: symbols and source lines, from the files that the guest's code
 * was loaded from. */
#ifndef GUEST_SYMBOLS_H
#define GUEST_SYMBOLS_H

#include "host/guest/run.h"

/* Set symbol and source line of each block where they are known.  Files that
 * are missing, damaged or stripped are no error. */
void symbols_find(struct arena *a, const struct run_table *t,
		  struct profile_block *blocks, size_t n_blocks);

#endif
