/* One row of a reference clock's sample, a sandwich of common/row.h, in
 * cycles. */
#ifndef SOLVE_SANDWICH_H
#define SOLVE_SANDWICH_H

#include "host/solve/estimate.h"

struct sandwich_row {
	double tpc;      /* ticks per cycle; 0: not known */
	double b_over_a; /* the same by chain b over that by chain a, or 0 */
	bool chains_agree;
	double reading; /* cycles of chain a in addition to its operations */
	/* Cycles of each probe, with those of its reading; 0: not run. */
	double probes[N_PROBES];
	double lengths[PACK_LENGTHS]; /* ticks of the kernel */
};

/* Does the sample consist of such rows? */
bool sandwich_ok(const struct sample *m);

/* Read row `row`; false when its ticks per cycle are not known. */
bool sandwich_read(const struct calibration *c, const struct sample *m,
		   size_t row, struct sandwich_row *ret);

/* A probe as in struct calibration: without the cost of its reading, the
 * sibling's per iteration, n of them (the number differs between starts of a
 * runtime); 0 if it was not run. */
double sandwich_probe(const double probes[N_PROBES], enum probe which,
		      double reading, uint64_t n);

#endif
