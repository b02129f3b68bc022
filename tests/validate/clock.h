/* Cycles of a function on a machine that lends no cycle counter: the estimator
 * of docs/method.md in an ordinary process.  Chains of additions, one cycle
 * each, stand before and after; what lies between is counted in them. */
#ifndef TESTS_VALIDATE_CLOCK_H
#define TESTS_VALIDATE_CLOCK_H

#include "common/types.h"

typedef void (*clock_run)(void *context, long n_calls);

/* Cycles of one call: the lowest of several visits whose sandwiches agree.
 * Negative: the machine was never quiet enough. */
double clock_cycles(clock_run run, void *context);

#endif
