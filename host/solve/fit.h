/* A line through the ticks of three unroll lengths.
 *
 * Every length runs the same number of iterations, so entry, exit and loop
 * are a constant: the slope is what one more body costs.  The middle length
 * proves that there is a line at all. */
#ifndef SOLVE_FIT_H
#define SOLVE_FIT_H

#include "common/pack.h"

struct fit {
	double rise; /* of ticks over `run`: slope = rise / run */
	double run;
	double range;    /* ticks of the longest over the shortest length */
	double residual; /* middle length off the line, relative to range */
};

/* Lengths must ascend.  rise and run are whole numbers, so that rise / run
 * (and rise / (run * n)) is exact wherever the true quotient is. */
struct fit fit_line(const double ticks[PACK_LENGTHS],
		    const uint32_t unroll[PACK_LENGTHS]);

/* Slopes of all lines that miss the ticks of each length by at most the cost of
 * starting and leaving a loop (common/bend.h); false if there are none. */
bool fit_slopes(const double ticks[PACK_LENGTHS],
		const uint32_t unroll[PACK_LENGTHS], double *ret_low,
		double *ret_high);

/* Ticks per body of whole runs, entry, exit and loop included, of the length
 * with the least. */
double fit_bound(const double ticks[PACK_LENGTHS],
		 const uint32_t unroll[PACK_LENGTHS]);

/* Can lines be fitted over these lengths? */
bool fit_possible(const uint32_t unroll[PACK_LENGTHS]);

#endif
