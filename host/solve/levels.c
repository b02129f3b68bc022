/* See levels.h. */
#include "host/solve/levels.h"

#include <math.h>
#include <stdlib.h>

#include "host/solve/candidates.h"
#include "host/solve/fit.h"
#include "host/solve/states.h"

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

/* The cost of a reading is estimated from a calibration chain.  It is too large
 * on a core that does not hide the chain's loop.  Visits in which it is more
 * than this share of the time do not count. */
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

/* Levels from list[i] on that agree with it; *ret_mean is their mean. */
static size_t count_shared(const double *list, size_t n, size_t i,
			   double *ret_mean)
{
	double sum = 0;
	size_t end = i;

	while (end < n && list[end] <= list[i] * (1 + values_agree))
		sum += list[end++];
	*ret_mean = sum / (double)(end - i);
	return end - i;
}

/* The fastest level that two visits share, as the mean of those that share it;
 * 0: none. */
static double shared(const double *list, size_t n, uint32_t *ret_visits)
{
	for (size_t i = 0; i + 1 < n; i++) {
		double mean;
		size_t count = count_shared(list, n, i, &mean);

		if (count < 2)
			continue;
		*ret_visits = (uint32_t)count;
		return mean;
	}
	return 0;
}

/* The level above `fast` that most visits share, at least a quarter of all, as
 * of the rows of a visit; 0: none. */
static double shared_above(const double *list, size_t n, double fast,
			   uint32_t *ret_visits)
{
	double slow = 0;
	size_t most = 1;

	for (size_t i = 0; i < n; i++) {
		double mean;
		size_t count = count_shared(list, n, i, &mean);

		if (list[i] < fast * (1 + states_apart) || count <= most ||
		    4 * count < n)
			continue;
		most = count;
		slow = mean;
	}
	*ret_visits = slow > 0 ? (uint32_t)most : 0;
	return slow;
}

struct levels levels_find(const struct kernel_visits *t)
{
	struct levels l = { .visits = UINT32_MAX, .fastest = INFINITY };
	double bodies[PACK_LENGTHS], whole[MAX_EVIDENCE];
	uint32_t n_fast = 0, n_slow = 0;
	size_t n_whole = levels_of_shortest(t, whole);
	bool complete = true;
	struct fit f;

	l.shortest = shared(whole, n_whole, &n_fast);
	if (l.shortest > 0)
		l.shortest_slow =
			shared_above(whole, n_whole, l.shortest, &n_slow);
	l.n_shortest = n_fast + n_slow;

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
