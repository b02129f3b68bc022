/* The clock of a core from the chains that it ran after a kernel. */
#ifndef NODE_CLOCK_H
#define NODE_CLOCK_H

#include "host/base/file.h"
#include "host/node/core.h"

struct clock_chains {
	/* Cycles of the long and of the short chain but for their constant
	 * cost. */
	double long_cycles, short_cycles;
	double hz; /* of the ticks */
};

/* Add the clocks (double, Hz) of the rows in which both chains ran at one
 * speed.  Others say nothing: the core stopped in one of the chains, as some do
 * 1 to 6 us after wide code, or changed its frequency between them.  What a
 * chain costs in addition to its cycles is the same for both, so it follows from each
 * row; it is not negative, and the least of all rows is the true one. */
void clock_add(const struct clock_chains *how, const uint64_t (*rows)[CORE_ROW],
	       size_t n, struct buffer *clocks);

#endif
