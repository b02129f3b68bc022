/* States of a core that may differ between the lengths of a row.
 *
 * The values of a visit are the slopes of its rows.  If some lengths of a row
 * run in one state and some in another, the slope belongs to neither. Each
 * single length has levels: times that several rows share.  The line through
 * the fastest level of each length is the line of the fastest state. */
#ifndef SOLVE_LEVELS_H
#define SOLVE_LEVELS_H

#include "host/solve/evidence.h"

struct levels {
	/* The slope through the fastest levels that two visits share, in cycles
	 * per op; 0: some length has no such level, or they lie on no line. */
	double cycles;
	double residual; /* of the middle length */
	uint32_t visits; /* least number that share one of the levels */
	/* Does a single visit have a faster level, or are the shared levels on
	 * no line?  Then further visits may show a faster state. */
	bool open;
	double fastest; /* cycles per op of whole runs: least of all levels */
	/* Of the shortest length, without the cost of a reading: the fastest
	 * level that two visits share; and, of the levels that are clearly
	 * slower, the one with the most visits, a quarter of them at least.  0:
	 * none. */
	double shortest, shortest_slow;
	uint32_t n_shortest; /* visits at one of these two */
};

/* From the visits of a kernel whose shape is known. */
struct levels levels_find(const struct kernel_visits *t);

/* Is a value of `cycles` slower than the fastest state must be? */
bool levels_are_below(const struct levels *l, double cycles);

/* Do they lie on a line, and does it show the same value? */
bool levels_agree(const struct levels *l, double cycles);

#endif
