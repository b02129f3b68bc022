/* See mix.h.  A mix is judged by the number of other mixes, so a roughly known
 * value is better than none.  Rows are not rejected one by one: the medians of
 * the lengths give a line, and their spread its error. */
#include "host/solve/mix.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/arena.h"
#include "host/solve/fit.h"
#include "host/solve/stats.h"

enum { ROW = 3 };

/* A middle length further off the line is rejected.  Chosen: wider than for
 * published values, because sigma expresses the error. */
static const double max_bend = 0.05;
/* Standard deviation of the median from the median absolute deviation, normal
 * errors. */
static const double sigma_of_mad = 1.4826, sigma_of_median = 1.2533;
/* A single visit may be disturbed as a whole - a core that wakes its wide units
 * runs all of a visit at a quarter of its speed - and is well known if a second
 * result agrees. */
static const double lone = 0.0055;
/* A line between whole cycles is known to a fraction of one: the standard
 * deviation of a rounding at either end is 0.29. */
static const double cycles_off = 0.25;

struct middle {
	double value, sigma;
};

static struct middle middle_of(double *values, size_t n)
{
	struct middle m = { .value = stats_median(values, n) };

	for (size_t i = 0; i < n; i++)
		values[i] = fabs(values[i] - m.value);
	m.sigma = sigma_of_mad * stats_median(values, n) * sigma_of_median /
		  sqrt((double)n);
	return m;
}

/* Cycles of an iteration of one length, from all rows. */
static struct middle length_of(const struct sample *m, size_t n, size_t length,
			       double *work, double *ret_iterations)
{
	size_t n_rows = 0;

	*ret_iterations = 0;
	for (size_t i = 0; i < n; i++) {
		if (m[i].row != ROW || m[i].n_iterations == 0)
			continue;
		*ret_iterations = (double)m[i].n_iterations;
		for (size_t r = 0; r < m[i].n_rows; r++)
			work[n_rows++] = (double)m[i].values[r * ROW + length] /
					 (double)m[i].n_iterations;
	}
	return n_rows == 0 ? (struct middle){ 0, 0 } : middle_of(work, n_rows);
}

static struct mix_value fit(const struct shape *k, const struct middle *x,
			    double iterations)
{
	double span = k->unroll[2] - k->unroll[0];
	double rise = x[2].value - x[0].value;
	double middle =
		x[0].value + rise * (k->unroll[1] - k->unroll[0]) / span;
	double off = fabs(x[1].value - middle) - 3 * x[1].sigma;
	struct mix_value v = { .has_value = false };

	if (!(rise > 0) ||
	    off * iterations > fmax(2, max_bend * rise * iterations))
		return v;
	v.has_value = true;
	v.cycles = rise / (span * k->ops_per_body);
	v.sigma =
		hypot(hypot(x[0].sigma, x[2].sigma), cycles_off / iterations) /
		rise;
	return v;
}

struct mix_value mix_of_core(const struct shape *k, const struct sample *m,
			     size_t n)
{
	struct mix_value v = { .has_value = false };
	struct middle x[PACK_LENGTHS];
	double iterations = 0, *work;
	size_t n_rows = 0;

	for (size_t i = 0; i < n; i++)
		n_rows += m[i].n_rows;
	if (n_rows == 0 || !fit_possible(k->unroll) || k->ops_per_body == 0)
		return v;
	work = xrealloc(NULL, n_rows, sizeof(*work));
	for (size_t i = 0; i < PACK_LENGTHS; i++)
		x[i] = length_of(m, n, i, work, &iterations);
	if (iterations > 0)
		v = fit(k, x, iterations);
	free(work);
	return v;
}

struct mix_value mix_of_estimate(const struct estimate *e)
{
	/* Bounds of the estimator hold at 99.9 %: three deviations. */
	const double bounds = 3.3;
	struct mix_value v = { .has_value = e->has_value && e->low > 0 };

	if (!v.has_value)
		return v;
	v.cycles = e->low;
	v.sigma = fmax(e->uncertainty, e->high / e->low - 1) / bounds;
	if (e->visits < 2)
		v.sigma = fmax(v.sigma, lone);
	return v;
}
