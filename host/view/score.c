/* Figures of agreement; see score.h. */
#include "host/view/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int by_measured(const void *a, const void *b)
{
	const struct score_pair *x = a, *y = b;

	if (x->measured != y->measured)
		return x->measured > y->measured ? 1 : -1;
	return (x->predicted > y->predicted) - (x->predicted < y->predicted);
}

/* Sort by merging, and count how many pairs were in the wrong order. */
static double sort_counted(double *x, double *spare, size_t n)
{
	size_t half = n / 2, i = 0, k = half, to = 0;
	double swaps;

	if (n < 2)
		return 0;
	swaps = sort_counted(x, spare, half) +
		sort_counted(x + half, spare, n - half);
	while (i < half && k < n) {
		if (x[i] <= x[k]) {
			spare[to++] = x[i++];
		} else {
			swaps += (double)(half - i);
			spare[to++] = x[k++];
		}
	}
	memcpy(spare + to, x + i, (half - i) * sizeof(*x));
	to += half - i;
	memcpy(spare + to, x + k, (n - k) * sizeof(*x));
	memcpy(x, spare, n * sizeof(*x));
	return swaps;
}

/* Pairs of n that are equal, of a sorted list of numbers that lie `stride`
 * apart. */
static double count_ties(const double *x, size_t n, size_t stride)
{
	double ties = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && x[end * stride] == x[i * stride];)
			end++;
		ties += (double)(end - i) * (double)(end - i - 1) / 2;
	}
	return ties;
}

static double count_same(const struct score_pair *p, size_t n)
{
	double same = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && by_measured(&p[i], &p[end]) == 0;)
			end++;
		same += (double)(end - i) * (double)(end - i - 1) / 2;
	}
	return same;
}

static double tau_of(struct arena *a, const struct score_pair *pairs, size_t n)
{
	struct score_pair *p = arena_copy(a, pairs, n * sizeof(*p));
	double *y = ARENA_ARRAY(a, double, n),
	       *spare = ARENA_ARRAY(a, double, n);
	double all = (double)n * (double)(n - 1) / 2, both, ties_x, ties_y, bad;
	double scale;

	qsort(p, n, sizeof(*p), by_measured);
	both = count_same(p, n);
	ties_x = count_ties(&p[0].measured, n, sizeof(*p) / sizeof(double));
	for (size_t i = 0; i < n; i++)
		y[i] = p[i].predicted;
	bad = sort_counted(y, spare, n);
	ties_y = count_ties(y, n, 1);
	scale = sqrt(all - ties_x) * sqrt(all - ties_y);
	return scale > 0 ? (all - ties_x - ties_y + both - 2 * bad) / scale : 0;
}

void score_of(struct arena *a, const struct score_pair *pairs, size_t n,
	      struct score *ret)
{
	static const double ten = 0.1, twenty = 0.2;
	double *errors = ARENA_ARRAY(a, double, n + 1);

	*ret = (struct score){ .n = n };
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		double ratio = pairs[i].predicted / pairs[i].measured;

		errors[i] = fabs(ratio - 1);
		ret->mean += errors[i] / (double)n;
		ret->within_10 += (errors[i] <= ten) / (double)n;
		ret->within_20 += (errors[i] <= twenty) / (double)n;
		ret->twice += (ratio > 2) / (double)n;
		ret->half += (ratio < 1.0 / 2) / (double)n;
	}
	qsort(errors, n, sizeof(*errors), by_number);
	ret->median = (errors[(n - 1) / 2] + errors[n / 2]) / 2;
	ret->tau = tau_of(a, pairs, n);
}

void score_text(struct buffer *b, const char *what, const struct score *s)
{
	enum { PERCENT = 100 };

	buffer_printf(b,
		      "%-28s %6zu blocks: mean %5.1f %%, median %5.1f %%; "
		      "within 10 %% %3.0f %%, within 20 %% %3.0f %%; above "
		      "twice %4.1f %%, below half %4.1f %%; tau %.3f\n",
		      what, s->n, PERCENT * s->mean, PERCENT * s->median,
		      PERCENT * s->within_10, PERCENT * s->within_20,
		      PERCENT * s->twice, PERCENT * s->half, s->tau);
}
