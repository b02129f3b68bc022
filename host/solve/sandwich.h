/* One row of a reference clock's sample: a kernel between chains of known
 * cost (docs/method.md).
 *
 *	chain a   chain b   probe   kernel: length 0, 1, 2   chain b   chain a
 *	long      short                                      long      short
 */
#ifndef SOLVE_SANDWICH_H
#define SOLVE_SANDWICH_H

#include "host/solve/estimate.h"

/* Columns of a row. */
enum {
	SANDWICH_ROW = 8,
	SANDWICH_A_LONG = 0,
	SANDWICH_B_SHORT = 1,
	SANDWICH_PROBE = 2,
	SANDWICH_LENGTHS = 3,
	SANDWICH_B_LONG = 6,
	SANDWICH_A_SHORT = 7,
};

struct sandwich_row {
	double tpc;      /* ticks per cycle; 0: nothing can be told */
	double b_over_a; /* the same by chain b over that by chain a */
	double reading;  /* cycles that chain a takes but for its operations */
	double probe;    /* cycles of the probe, with those of its reading */
	double lengths[PACK_LENGTHS]; /* ticks of the kernel */
};

/* Does the sample consist of such rows? */
bool sandwich_ok(const struct sample *m);

/* Read row `row`; false when its chains disagree: the fields then only tell of
 * the disturbance. */
bool sandwich_read(const struct calibration *c, const struct sample *m,
		   size_t row, struct sandwich_row *ret);

/* Cycles of one of the probe's n iterations, without the cycles that its
 * reading costs; 0 when there is no probe.  Each start of a runtime finds
 * another number of iterations, so that cost must not count. */
double sandwich_probe(const struct sandwich_row *r, double reading, uint64_t n);

#endif
