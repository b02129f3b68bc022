/* Order statistics; see stats.h. */
#include "host/solve/stats.h"

#include <math.h>
#include <stdlib.h>

static int stats_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void stats_sort(double *values, size_t n)
{
	/* Chosen: below it qsort() costs more than the comparisons it saves.
	 * Most arrays are the rows of a visit. */
	enum { FEW = 96 };

	if (n > FEW) {
		qsort(values, n, sizeof(*values), stats_compare);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		double value = values[i];
		size_t k = i;

		for (; k > 0 && values[k - 1] > value; k--)
			values[k] = values[k - 1];
		values[k] = value;
	}
}

static double middle_of(double a, double b, double c)
{
	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Move values below the pivot to the front, those above it to the end.  Returns
 * where the values that equal it begin, and *ret_end, behind the last of
 * them. */
static size_t part(double *values, size_t n, double pivot, size_t *ret_end)
{
	size_t low = 0, at = 0, high = n;

	while (at < high) {
		double value = values[at];

		if (value < pivot) {
			values[at++] = values[low];
			values[low++] = value;
		} else if (value > pivot) {
			values[at] = values[--high];
			values[high] = value;
		} else {
			at++;
		}
	}
	*ret_end = high;
	return low;
}

/* Hoare, "Algorithm 65: Find", CACM 4 (1961): only the part that has the
 * quantile is ordered further. */
double stats_quantile(double *values, size_t n, double q)
{
	enum { FEW = 64, MAX_ROUNDS = 64 };
	size_t k = (size_t)((double)(n - 1) * q), end;

	/* Values can be such that no pivot is a good one. */
	for (int i = 0; i < MAX_ROUNDS && n > FEW; i++) {
		double pivot =
			middle_of(values[0], values[n / 2], values[n - 1]);
		size_t first = part(values, n, pivot, &end);

		if (k >= first && k < end)
			return pivot;
		if (k < first) {
			n = first;
		} else {
			values += end;
			n -= end;
			k -= end;
		}
	}
	stats_sort(values, n);
	return values[k];
}

double stats_median(double *values, size_t n)
{
	return stats_quantile(values, n, 0.5);
}
