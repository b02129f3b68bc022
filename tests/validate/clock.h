/* Cycles of a function on a machine that lends no cycle counter: the estimator
 * of docs/method.md in an ordinary process.  Chains of additions, one cycle
 * each, stand before and after; what lies between is counted in them.  A probe,
 * independent no-operations, tells when a sibling thread had half of the core,
 * which the chains hardly feel. */
#ifndef TESTS_VALIDATE_CLOCK_H
#define TESTS_VALIDATE_CLOCK_H

#include "common/types.h"

enum clock_length { CLOCK_SHORT, CLOCK_LONG, CLOCK_N };

/* One sandwich, in cycles. */
struct clock_row {
	double probe;
	double cycles[CLOCK_N];
};

typedef void (*clock_run)(void *context, enum clock_length length);

/* What vectors of 64 bytes leave behind is over: for 0.7 ms after the last of
 * them an Ice Lake takes up to twice as long for those of 32. */
void clock_settle(void);

/* False: the chains before and after disagree. */
bool clock_row(clock_run run, void *context, struct clock_row *ret);

/* Cycles of the probe on a silent core, of all that were seen: of these values,
 * nearly the lowest.  Sorts them. */
double clock_quiet(double *probes, size_t n);

/* Was the core silent?  `quiet` as above. */
static inline bool clock_is_quiet(const struct clock_row *row, double quiet)
{
	return row->probe <= 1.1 * quiet;
}

/* Cycles of the long run less those of the short one, of rows on a silent
 * core; n is not zero. */
double clock_difference(const struct clock_row *rows, size_t n, double quiet);

#endif
