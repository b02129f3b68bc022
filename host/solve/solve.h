/* Solving: stored samples become claims.  Pure: reads samples of a run from
 * the store, writes its claims, and can be repeated on old data. */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "host/solve/silence.h"
#include "host/store/store.h"

enum { SOLVER_VERSION = 1 };

/* Summary for the table at the end of a run. */
struct solve_summary {
	size_t n_claims, n_ok, n_interval, n_refused, n_faults;
	struct silence_summary silence;
};

/* Solve one run (0: all runs of the store). */
int solve_run(struct store *s, int64_t run, struct solve_summary *ret,
	      struct err *e);

/* What a run on a ref clock knows of its calibration kernels; zeros on any
 * other. */
int solve_calibration(struct store *s, int64_t run, struct calibration *ret,
		      struct err *e);

#endif
