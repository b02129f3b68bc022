/* See mix.h.  A mix is judged by the number of other mixes, so a roughly known
 * value is better than none.  Rows are not rejected one by one: the medians of
 * the lengths give a line, and their spread its error. */
#include "host/solve/mix.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/arena.h"
#include "host/base/order.h"
#include "host/solve/fit.h"
#include "host/solve/stats.h"

enum { ROW = 3, LEAST_ROWS = 5, LEAST_VISITS = 3 };

/* A middle length further off the line is rejected.  Chosen: wider than for
 * published values, because sigma expresses the error. */
static const double max_bend = 0.05;
/* Standard deviation of the median from the median absolute deviation, normal
 * errors. */
static const double sigma_of_mad = 1.4826, sigma_of_median = 1.2533;
/* On a ref clock: rows within same_value share a time.  A disturbance that no
 * probe shows makes a row slower and none faster, so the fastest time counts that
 * least_share of the quiet rows have, LEAST_ROWS at least, of LEAST_VISITS (of all, if
 * there are fewer).  Chosen: errors of
 * single rows do not come together so often, and a disturbance does not last from
 * visit to visit; seen on a Zen 3 whose siblings are busy for half of the time: three
 * quarters of the quiet rows have it, and a quarter of the others. */
static const double same_value = 0.02, least_share = 0.4;
/* Standard deviation of a row in it. */
static const double row_sigma = 0.008;
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

static int by_cycles(const void *a, const void *b)
{
	const struct mix_row *x = a, *y = b;

	return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

/* Visits of n rows, LEAST_VISITS at most. */
static size_t count_visits(const struct mix_row *rows, size_t n)
{
	uint32_t seen[LEAST_VISITS];
	size_t n_seen = 0;

	for (size_t i = 0; i < n && n_seen < LEAST_VISITS; i++) {
		size_t k = 0;

		while (k < n_seen && seen[k] != rows[i].visit)
			k++;
		if (k == n_seen)
			seen[n_seen++] = rows[i].visit;
	}
	return n_seen;
}

/* Rows from `first` on that share its time, and their mean. */
static size_t share_time(const struct mix_row *rows, size_t n, size_t first,
			 double *ret_mean)
{
	size_t end = first;

	*ret_mean = 0;
	while (end < n &&
	       rows[end].cycles <= rows[first].cycles * (1 + same_value))
		*ret_mean += rows[end++].cycles;
	*ret_mean /= (double)(end - first);
	return end - first;
}

struct mix_value mix_of_rows(struct mix_row *rows, size_t n)
{
	double least = fmax(LEAST_ROWS, least_share * (double)n), mean;
	size_t n_visits = count_visits(rows, n), first = 0, most = 0;
	struct mix_value v = { .has_value = false };

	order_sort(rows, n, sizeof(*rows), by_cycles);
	for (; first < n; first++)
		if ((double)share_time(rows, n, first, &mean) >= least &&
		    count_visits(rows + first,
				 share_time(rows, n, first, &mean)) == n_visits)
			break;
	/* The first such rows begin in the tail of the errors of all rows with that
	 * time: the time is where most of them are. */
	for (size_t i = first;
	     i < n && rows[i].cycles <= rows[first].cycles * (1 + same_value);
	     i++) {
		size_t size = share_time(rows, n, i, &mean);

		if (size <= most)
			continue;
		most = size;
		v = (struct mix_value){ true, mean,
					row_sigma / sqrt((double)size) };
	}
	return v;
}
