/* Order statistics on small arrays. */
#ifndef SOLVE_STATS_H
#define SOLVE_STATS_H

#include "common/types.h"

/* Sort n values, none of them NaN, from the lowest. */
void stats_sort(double *values, size_t n);

/* The quantile `q` (0..1) of n > 0 values; an element of the array, never a
 * mean of two.  Reorders the array. */
double stats_quantile(double *values, size_t n, double q);

/* The median; of two middle values the lower, because disturbances only add
 * time.  Reorders the array. */
double stats_median(double *values, size_t n);

#endif
