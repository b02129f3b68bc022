/* How visits agree; see estimate.h. */
#include "host/solve/estimate.h"

#include <math.h>

#include "host/solve/stats.h"

/* METHOD of the estimator: clean visits of a steady kernel lie within 1 %
 * (p99.9 0.4 %); two of them farther apart than this saw different things. */
static const double agree = 0.02;

/* METHOD: p99.9 of known integers lie within 0.4 %. */
static const double accuracy = 0.005;

/* A calibration chain slowed by a busy sibling makes a kernel look up to 4 %
 * faster; only what lies farther below is a state of its own. */
static const double below_is_real = 0.05;

/* So many visits that agree stand against one that was faster. */
enum { outvoting = 4 };

/* The longest run of sorted values within `agree` of its first; of equal
 * ones the lowest.  Returns its length. */
static size_t largest_cluster(const double *v, size_t n, size_t *ret_first)
{
	size_t best = 0;

	for (size_t i = 0; i < n; i++) {
		size_t end = i;

		while (end < n && v[end] <= v[i] * (1 + agree))
			end++;
		if (end - i > best) {
			best = end - i;
			*ret_first = i;
		}
	}
	return best;
}

/* Of values that agree with each other. */
static double choose(const double *v, size_t n, enum estimate_combine combine)
{
	return combine == COMBINE_MEDIAN ? (v[(n - 1) / 2] + v[n / 2]) / 2
					 : v[0];
}

/* Are the `first` values below the cluster no more than calibrations that were
 * slowed down? */
static bool is_outvoted(const double *v, size_t first, size_t size,
			double value)
{
	return size >= outvoting * first && v[0] >= value * (1 - below_is_real);
}

void estimate_combine_visits(double *v, size_t n, enum estimate_combine combine,
			     struct estimate *e)
{
	size_t first = 0, above, above_first = 0;

	e->visits = (uint32_t)n;
	e->has_value = n > 0;
	e->state = ESTIMATE_NOISY;
	if (n == 0)
		return;
	(void)stats_median(v, n);
	e->low = v[0];
	e->high = v[n - 1];
	e->uncertainty = accuracy;
	if (n < 2)
		return;

	size_t size = largest_cluster(v, n, &first);
	double value = choose(v + first, size, combine);

	if (size < 2) {
		e->state = ESTIMATE_UNSTABLE;
		return;
	}
	if (first > 0 && !is_outvoted(v, first, size, value)) {
		/* Something was faster than what was seen most often. */
		e->state = v[0] < value * (1 - below_is_real)
				   ? ESTIMATE_TWO_STATES
				   : ESTIMATE_UNSTABLE;
		e->high = value;
		return;
	}
	size_t rest = first + size;

	above = largest_cluster(v + rest, n - rest, &above_first);
	if (above >= 2) {
		e->state = ESTIMATE_TWO_STATES;
		e->low = value;
		e->high = v[rest + above_first];
		return;
	}
	e->state = ESTIMATE_OK;
	e->low = e->high = value;
	/* Two suffice where they say the same. */
	e->doubtful =
		size < 3 && v[first + size - 1] > v[first] * (1 + accuracy);
	/* A chain is as uncertain as its visits differ; of a throughput only
	 * the lowest counts. */
	if (combine == COMBINE_MEDIAN)
		e->uncertainty =
			fmax(accuracy, fmax(v[first + size - 1] / value - 1,
					    1 - v[first] / value));
}
