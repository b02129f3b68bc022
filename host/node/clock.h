/* Computes the clock of a core from the chains that it ran after a kernel. */
#ifndef NODE_CLOCK_H
#define NODE_CLOCK_H

#include "host/base/file.h"
#include "host/node/core.h"

struct clock_chains {
	/* Cycles of the adds of the long and of the short chain. */
	double long_cycles, short_cycles;
	double hz; /* of the ticks */
};

/* Append the clocks (double, Hz) of the rows in which both chains ran at the
 * same frequency.  In the other rows the core stopped in one of the chains, as
 * some do 1 to 6 us after wide code, or changed its frequency between them.
 *
 * Both chains cost the same time in addition to their adds, so each row gives
 * this time.  The least of all rows is taken as the true one; rows in which it
 * is clearly larger, or negative, are excluded. */
void clock_add(const struct clock_chains *how, const uint64_t (*rows)[CORE_ROW],
	       size_t n, struct buffer *clocks);

#endif
