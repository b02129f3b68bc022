/* One visit of a kernel on a reference clock: rows, their flags, and the values
 * that some of them share.
 *
 * Every row is a sandwich: the kernel's three lengths between two chains of
 * 1-cycle operations, each at two lengths.  A chain's difference over its two
 * lengths is free of every constant cost; chain a is long before the kernel
 * and short after it, chain b the other way round, so that a drift or a step
 * of the frequency makes the two differ. */
#include <math.h>
#include <stdlib.h>

#include "host/base/arena.h"
#include "host/solve/evidence.h"
#include "host/solve/fit.h"
#include "host/solve/rows.h"
#include "host/solve/sandwich.h"
#include "host/solve/stats.h"

enum {
	/* Rows that share a value.  Chosen: two of eleven are within 2 % by
	 * chance. */
	LEAST_ROWS = 3,
	/* Rows of visits that ended early, read together: as many as a visit
	 * has that does not end early, or one more. */
	TOGETHER_ROWS = 11,
};

static const double quartile = 0.25;
/* A stall inside one length bends its line: such a row has no value.  Chosen:
 * 80 ns of the 2.7 us between the longest length and the shortest. */
static const double max_bend = 0.03;
/* A kernel is straight when the middle of its rows is: the slopes on both sides
 * of the middle length are then less than 4 % off. */
static const double max_residual = 0.02;
/* Rows this close share a value: readings are good to 0.4 % (CHAIN_STEPS). */
static const double same_value = 0.02;
/* A value further away is a separate one (states_apart of states.h). */
static const double other_value = 0.03;

/* State of read_visits(). */
struct reading {
	struct visit *v;
	size_t least;  /* rows that share a value */
	bool together; /* several short visits: a value needs a majority */
	struct visit_row *group; /* room for all rows */
	double *work;
};

/* The median bend of rows without flags, or of all rows if those are too few;
 * NAN: most rows do not rise with the length. */
static double median_bend(const struct visit_row *list, size_t n, double *work)
{
	size_t n_rising = 0, n_unmarked = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(list[i].bend))
			continue;
		n_rising++;
		if (list[i].marks == 0)
			work[n_unmarked++] = list[i].bend;
	}
	if (2 * n_rising < n || n_rising == 0)
		return NAN;
	if (n_unmarked >= LEAST_ROWS)
		return stats_median(work, n_unmarked);
	n_rising = 0;
	for (size_t i = 0; i < n; i++)
		if (!isnan(list[i].bend))
			work[n_rising++] = list[i].bend;
	return stats_median(work, n_rising);
}

static size_t drop_bent(struct visit_row *list, size_t n, double bend)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (fabs(list[i].bend - bend) <= max_bend)
			list[kept++] = list[i];
	return kept;
}

static int compare_cycles(const void *a, const void *b)
{
	const struct visit_row *x = a, *y = b;

	return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

/* The largest group of sorted rows within same_value, without those near
 * `taken` (0: none is); of equal ones the fastest.  Returns how many rows it
 * has. */
static size_t densest(const struct visit_row *r, size_t n, double taken,
		      size_t *ret_first)
{
	size_t best = 0;

	for (size_t i = 0; i < n; i++) {
		size_t end = i;

		if (fabs(r[i].cycles - taken) <= other_value * taken)
			continue;
		while (end < n &&
		       r[end].cycles <= r[i].cycles * (1 + same_value) &&
		       fabs(r[end].cycles - taken) > other_value * taken)
			end++;
		if (end - i > best) {
			best = end - i;
			*ret_first = i;
		}
	}
	return best;
}

/* The value that rows share: a ratio of sums, in which the errors of single
 * ticks are smallest. */
static struct visit_value value_of_rows(const struct visit_row *r, size_t n)
{
	struct visit_value v = { .n_rows = (uint16_t)n };
	double ticks = 0, cycles = 0;

	for (size_t i = 0; i < n; i++) {
		ticks += r[i].ticks;
		cycles += r[i].tpc;
	}
	v.cycles = ticks / cycles;
	for (int mark = 0; mark < N_MARKS; mark++) {
		size_t n_with = 0;

		for (size_t i = 0; i < n; i++)
			n_with += r[i].marks >> mark & 1;
		if (2 * n_with >= n)
			v.marks |= (uint8_t)(1 << mark);
	}
	return v;
}

/* Values of a group of rows: the one that most share, and a second one that at
 * least a quarter of them share. */
static void find_values(const struct reading *q, struct visit_row *r, size_t n,
			bool marked)
{
	struct visit *v = q->v;
	double taken = 0;

	qsort(r, n, sizeof(*r), compare_cycles);
	for (int i = 0; i < 2 && v->n_values < MAX_VISIT_VALUES; i++) {
		size_t first = 0, size = densest(r, n, taken, &first);

		if (size < q->least || size == 0 || (i > 0 && 4 * size < n) ||
		    (q->together && 2 * size <= n))
			return;

		struct visit_value one = value_of_rows(r + first, size);

		if (!marked)
			one.marks = 0;
		if (q->together)
			one.marks = (uint8_t)(1 << MARK_TOGETHER |
					      (one.marks ? one.marks
							 : 1 << MARK_SIBLING));
		if (one.cycles <= 0)
			return;
		taken = one.cycles;
		v->values[v->n_values++] = one;
	}
}

/* Of the first n rows of the group. */
static void find_quartiles(const struct reading *q, size_t n)
{
	q->v->n_straight = (uint32_t)n;
	for (int side = 0; side < 2 && n > 0; side++) {
		for (size_t i = 0; i < n; i++)
			q->work[i] = q->group[i].cycles;
		q->v->quartiles[side] = stats_quantile(
			q->work, n, side ? 1 - quartile : quartile);
	}
}

/* First the rows without flags, then those with flags but good chains, and the
 * rest only if the visit has no value yet. */
static void find_all_values(const struct reading *q,
			    const struct visit_row *list, size_t n)
{
	static const uint8_t bad_chains = 1 << MARK_CHAINS | 1 << MARK_SLOW;
	struct visit_row *group = q->group;
	size_t n_group = 0;

	for (size_t i = 0; i < n; i++)
		if (list[i].marks == 0)
			group[n_group++] = list[i];
	find_quartiles(q, n_group);
	find_values(q, group, n_group, false);
	n_group = 0;
	for (size_t i = 0; i < n; i++)
		if (list[i].marks != 0 && !(list[i].marks & bad_chains))
			group[n_group++] = list[i];
	find_values(q, group, n_group, true);
	if (q->v->n_values > 0)
		return;
	n_group = 0;
	for (size_t i = 0; i < n; i++)
		if (list[i].marks & bad_chains)
			group[n_group++] = list[i];
	find_values(q, group, n_group, true);
}

static double spread_of(const struct visit_row *list, size_t n)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i].marks)
			continue;
		least = fmin(least, list[i].cycles);
		most = fmax(most, list[i].cycles);
	}
	return most > 0 && least > 0 ? most / least - 1 : 0;
}

static void count_marks(struct visit *v, const struct visit_row *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		v->n_unmarked += list[i].marks == 0;
		v->all_marks |= list[i].marks;
		for (int mark = 0; mark < N_MARKS; mark++)
			v->n_marked[mark] += list[i].marks >> mark & 1u;
	}
}

/* The fastest level of each length: a core may enter each length in another
 * state; then the line of a row belongs to no state. */
static void find_levels(const struct reading *q, const struct visit_row *list,
			size_t n)
{
	for (int length = 0; length < PACK_LENGTHS; length++) {
		double *work = q->work;
		size_t n_unmarked = 0;

		for (size_t i = 0; i < n; i++)
			if (list[i].marks == 0)
				work[n_unmarked++] = list[i].lengths[length];
		stats_sort(work, n_unmarked);
		for (size_t i = 0; i + q->least <= n_unmarked; i++)
			if (work[i + q->least - 1] <=
			    work[i] * (1 + same_value)) {
				q->v->level[length] = work[i];
				break;
			}
	}
}

static void judge_rows(const struct reading *q, struct visit_row *list,
		       size_t n)
{
	struct visit *v = q->v;
	double *work = q->work;
	size_t kept;
	double bend;

	rows_mark_slow(list, n, work);
	/* Visits end early where the runtime finds a probe slow, so none of
	 * their rows counts as undisturbed. */
	for (size_t i = 0; i < n && q->together; i++)
		if (list[i].marks == 0)
			list[i].marks = 1 << MARK_SIBLING;
	count_marks(v, list, n);
	find_levels(q, list, n);
	for (size_t i = 0; i < n; i++)
		work[i] = list[i].bound / list[i].tpc;
	v->bound = stats_median(work, n);
	bend = median_bend(list, n, work);
	if (isnan(bend)) {
		v->state = VERDICT_IMPLAUSIBLE;
		return;
	}
	kept = drop_bent(list, n, bend);
	v->n_bent = (uint32_t)(n - kept);
	v->bend = bend;
	v->residual = fabs(bend);
	v->state = VERDICT_OK;
	if (v->residual > max_residual) {
		/* The line of a disturbed visit is not the kernel's. */
		if (v->n_unmarked >= q->least)
			v->state = VERDICT_NOT_LINEAR;
		for (size_t i = 0; i < kept; i++)
			work[i] = list[i].cycles;
		v->rough = kept > 0 ? stats_median(work, kept) : 0;
		return;
	}
	v->spread = spread_of(list, kept);
	find_all_values(q, list, kept);
}

/* Rows of n visits of one kernel. */
static struct visit read_visits(const struct shape *k,
				const struct calibration *c,
				const struct sample *m, size_t n)
{
	struct visit v = { .state = VERDICT_BAD_DATA };
	struct reading q = { .v = &v, .least = LEAST_ROWS, .together = n > 1 };
	struct visit_row *list;
	size_t n_rows = 0;

	for (size_t i = 0; i < n; i++)
		v.n_rows += m[i].n_rows;
	list = xrealloc(NULL, v.n_rows, 2 * sizeof(*list));
	q.group = list + v.n_rows;
	q.work = xrealloc(NULL, v.n_rows, sizeof(*q.work));
	/* A run that measures each kernel once has no further visits. */
	if (v.n_rows < q.least && m->visit == 0)
		q.least = v.n_rows;
	for (size_t i = 0; i < n; i++)
		n_rows += rows_read(k, c, &m[i], list + n_rows);
	/* Rows without cycles are counted as rows whose chains disagree. */
	v.n_marked[MARK_CHAINS] = (uint32_t)(v.n_rows - n_rows);
	v.reading = c->reading[m->core % ESTIMATE_CORES] /
		    ((double)m->n_iterations * k->ops_per_body * k->unroll[0]);
	if (n_rows > 0)
		judge_rows(&q, list, n_rows);
	free(q.work);
	free(list);
	return v;
}

struct visit visit_read(const struct shape *k, const struct calibration *c,
			const struct sample *m)
{
	if (!sandwich_ok(m))
		return (struct visit){ .state = VERDICT_BAD_DATA };
	return read_visits(k, c, m, 1);
}

bool visit_is_short(const struct sample *m)
{
	return sandwich_ok(m) && m->n_rows < LEAST_ROWS && m->visit > 0;
}

size_t visits_read(const struct shape *k, const struct calibration *c,
		   const struct sample *m, size_t n, struct visit *ret)
{
	struct sample together[TOGETHER_ROWS];
	size_t n_together = 0, n_rows = 0, n_read = 0;

	for (size_t i = 0; i < n; i++) {
		if (!visit_is_short(&m[i])) {
			ret[n_read++] = visit_read(k, c, &m[i]);
			continue;
		}
		together[n_together++] = m[i];
		n_rows += m[i].n_rows;
		if (n_rows < TOGETHER_ROWS)
			continue;
		ret[n_read++] = read_visits(k, c, together, n_together);
		n_together = n_rows = 0;
	}
	if (n_together > 0)
		ret[n_read++] = read_visits(k, c, together, n_together);
	return n_read;
}

size_t visit_quiet_rows(const struct shape *k, const struct calibration *c,
			const struct sample *m, double *ret)
{
	struct visit_row *list;
	size_t n_rows, n_quiet = 0;
	double bend;

	if (!sandwich_ok(m))
		return 0;
	list = xrealloc(NULL, m->n_rows, sizeof(*list));
	n_rows = rows_read(k, c, m, list);
	if (n_rows > 0)
		rows_mark_slow(list, n_rows, ret);
	bend = n_rows > 0 ? median_bend(list, n_rows, ret) : NAN;
	n_rows = fabs(bend) <= max_residual ? drop_bent(list, n_rows, bend) : 0;
	for (size_t i = 0; i < n_rows; i++)
		if (list[i].marks == 0 && list[i].cycles > 0)
			ret[n_quiet++] = list[i].cycles;
	free(list);
	return n_quiet;
}
