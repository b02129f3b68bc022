/* Order statistics; see stats.h. */
#include "host/solve/stats.h"

#include <stdlib.h>

static int stats_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double stats_quantile(double *values, size_t n, double q)
{
	qsort(values, n, sizeof(*values), stats_compare);
	return values[(size_t)((double)(n - 1) * q)];
}

double stats_median(double *values, size_t n)
{
	return stats_quantile(values, n, 0.5);
}
