/* Order statistics on small arrays. */
#ifndef SOLVE_STATS_H
#define SOLVE_STATS_H

#include "common/types.h"

/* The value a share `q` (0..1) of the n > 0 values lies below; an element of
 * the array, never a mean of two.  Sorts the array. */
double stats_quantile(double *values, size_t n, double q);

/* Half of the values, rounded down, lie below it: of two, the lower, since
 * disturbances only add.  Sorts the array. */
double stats_median(double *values, size_t n);

#endif
