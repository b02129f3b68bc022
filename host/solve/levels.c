/* See levels.h. */
#include "host/solve/levels.h"

#include <math.h>
#include <stdlib.h>

#include "host/solve/candidates.h"
#include "host/solve/fit.h"

/* As of a visit's rows (visit.c). */
static const double max_residual = 0.02;

static int levels_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The levels of one length, one of each visit, sorted. */
static size_t levels_collect(const struct kernel_visits *t, int length,
			     double list[MAX_EVIDENCE])
{
	size_t n = 0;

	for (uint32_t i = 0; i < t->n && n < MAX_EVIDENCE; i++)
		if (t->visits[i].level[length] > 0)
			list[n++] = t->visits[i].level[length];
	qsort(list, n, sizeof(*list), levels_compare);
	return n;
}

/* The cost of a reading is estimated from a calibration chain.  It is too large on
 * a core that does not hide the chain's loop.  Visits in which it is more than this
 * share of the time do not count. */
static const double most_reading = 0.05;

/* The levels of the shortest length without the cost of a reading, sorted. */
static size_t levels_of_shortest(const struct kernel_visits *t,
				 double list[MAX_EVIDENCE])
{
	size_t n = 0;

	for (uint32_t i = 0; i < t->n && n < MAX_EVIDENCE; i++)
		if (t->visits[i].level[0] > 0 &&
		    t->visits[i].reading <=
			    most_reading * t->visits[i].level[0])
			list[n++] =
				t->visits[i].level[0] - t->visits[i].reading;
	qsort(list, n, sizeof(*list), levels_compare);
	return n;
}

/* The fastest level that two visits share, as the mean of those that share it;
 * 0: none. */
static double shared(const double *list, size_t n, uint32_t *ret_visits)
{
	for (size_t i = 0; i + 1 < n; i++) {
		double sum = 0;
		size_t end = i;

		while (end < n && list[end] <= list[i] * (1 + values_agree))
			sum += list[end++];
		if (end - i < 2)
			continue;
		*ret_visits = (uint32_t)(end - i);
		return sum / (double)(end - i);
	}
	return 0;
}

struct levels levels_find(const struct kernel_visits *t)
{
	struct levels l = { .visits = UINT32_MAX, .fastest = INFINITY };
	double bodies[PACK_LENGTHS], whole[MAX_EVIDENCE];
	uint32_t n_whole = 0;
	bool complete = true;
	struct fit f;

	l.shortest = shared(whole, levels_of_shortest(t, whole), &n_whole);

	for (int i = 0; i < PACK_LENGTHS && t->unroll; i++) {
		double list[MAX_EVIDENCE];
		uint32_t visits = 0;
		size_t n = levels_collect(t, i, list);
		double level = shared(list, n, &visits);

		complete = complete && level > 0;
		bodies[i] = level * t->unroll[i];
		l.visits = visits < l.visits ? visits : l.visits;
		if (n == 0)
			continue;
		l.fastest = fmin(l.fastest, list[0]);
		l.open = l.open || level == 0 ||
			 list[0] < level * (1 - below_is_real);
	}
	if (!t->unroll || !complete)
		return l;
	f = fit_line(bodies, t->unroll);
	l.residual = fabs(f.residual);
	if (f.rise > 0 && l.residual <= max_residual)
		l.cycles = f.rise / f.run;
	else
		l.open = true;
	return l;
}

bool levels_are_below(const struct levels *l, double cycles)
{
	return l->cycles > 0 && l->cycles < cycles * (1 - below_is_real);
}

bool levels_agree(const struct levels *l, double cycles)
{
	return fabs(l->cycles - cycles) <= values_agree * cycles;
}
