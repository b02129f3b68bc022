/* Estimates from a clock that counts core cycles.
 *
 * A tick is a cycle, so a row of three lengths is a measurement and the other
 * rows repeat it.  Disturbances only add cycles, so repeats that agree to the
 * last cycle were not disturbed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/bend.h"
#include "host/base/arena.h"
#include "host/solve/estimate.h"
#include "host/solve/fit.h"
#include "host/solve/silence.h"
#include "host/solve/stats.h"

/* The middle length may deviate from the line by this share of the range; the
 * slopes on both sides are then 4 % off.  It may also deviate by the cost of
 * the ends of the runs: its own cycles and the mean of those on both sides. */
static const double max_residual = 0.02;
static const double max_cycles_off =
	BEND_OTHER + (BEND_FIRST + BEND_OTHER) / 2.0;

/* A value with a larger error is not known: the limit for the verdict ok. */
static const double max_doubt = 0.01;

/* Repeats within this share of each other agree, or within two cycles.
 * Chosen: undisturbed repeats are equal, and a disturbance costs more. */
static const double same = 0.01;
static const double same_cycles = 2;

/* What a jump may cost more the first time that a run executes it, when the
 * branch predictor does not know its target.  A XuanTie C906, which has
 * forgotten it since the run before, takes two cycles. */
static const double first_jump = 4;

enum { ROW = 3 };

/* Above this, doubles no longer hold every integer; counter differences of
 * kernels are far smaller. */
static const double max_ticks = 9007199254740992.0;

struct repeat {
	uint64_t n; /* iterations */
	double ticks[PACK_LENGTHS];
	struct fit fit;
	double cycles;   /* per op */
	double centre;   /* of what the ends of the runs leave possible, */
	double doubt;    /* and how far the value may be off, relative */
	double bound;    /* of struct estimate, */
	double shortest; /* likewise */
	/* Jumps: the only whole or half number of cycles that is possible; 0:
	 * there is none, or there are several. */
	double jump;
};

/* No line passes the lengths this closely: the cost lies between the slopes on
 * both sides of the middle length. */
static double doubt_of_bend(const struct repeat *r)
{
	return 2 * fabs(r->fit.residual) + BEND_SLOPE / r->fit.range;
}

/* The only half cycle from `low` to `high`, cycles per op; 0: none, or
 * several. */
static double only_half(double low, double high)
{
	double half = ceil(2 * low);

	return half <= 2 * high && half + 1 > 2 * high ? half / 2 : 0;
}

static void bound_repeat(const struct shape *k, struct repeat *r)
{
	double slope = r->fit.rise / r->fit.run;
	double ticks_of_op = (double)r->n * k->ops_per_body;
	double low, high, middle;

	r->jump = 0;
	r->centre = r->cycles;
	r->doubt = INFINITY;
	if (r->fit.range <= 0 || slope <= 0)
		return;
	r->doubt = doubt_of_bend(r);
	if (!fit_slopes(r->ticks, k->unroll, &low, &high) || low <= 0) {
		if (!k->jumps)
			return;
		low = slope * (1 - r->doubt);
		high = slope * (1 + r->doubt);
	}
	if (k->jumps) {
		low -= first_jump * k->ops_per_body;
		r->jump = only_half(low / ticks_of_op, high / ticks_of_op);
		low = fmax(low, 0);
	}
	middle = (low + high) / 2;
	r->centre = r->cycles * middle / slope;
	r->doubt = high / middle - 1;
}

/* Of its iterations and ticks. */
static void fit_repeat(const struct shape *k, struct repeat *r)
{
	double ops = (double)r->n * k->ops_per_body;

	r->fit = fit_line(r->ticks, k->unroll);
	r->cycles = r->fit.rise / (r->fit.run * ops);
	bound_repeat(k, r);
	r->bound = fit_bound(r->ticks, k->unroll) / ops;
	r->shortest = r->ticks[0] / (ops * k->unroll[0]);
}

static bool read_repeat(const struct shape *k, const struct sample *m,
			size_t row, struct repeat *ret)
{
	ret->n = m->n_iterations;
	for (int i = 0; i < PACK_LENGTHS; i++) {
		ret->ticks[i] = (double)m->values[row * ROW + (size_t)i];
		if (ret->ticks[i] >= max_ticks)
			return false;
	}
	fit_repeat(k, ret);
	return true;
}

static bool is_linear(const struct repeat *r)
{
	double off = fabs(r->fit.residual) * r->fit.range;

	return off <= max_residual * r->fit.range || off <= max_cycles_off;
}

/* Lowest cost first; of equal cost the straightest. */
static int core_compare(const void *a, const void *b)
{
	const struct repeat *x = a, *y = b;
	double rx = fabs(x->fit.residual), ry = fabs(y->fit.residual);

	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? -1 : 1;
	return (rx > ry) - (rx < ry);
}

/* The number of sorted repeats from i on that agree with repeat i. */
static size_t agreeing(const struct repeat *r, size_t n, size_t i)
{
	double slack = fmax(same, same_cycles / r[i].fit.range);
	size_t end = i;

	while (end < n && r[end].cycles <= r[i].cycles * (1 + slack))
		end++;
	return end - i;
}

/* A line through all of its points whose slope is a simple fraction.  The ends
 * of the runs could not have moved it there from another fraction with as small
 * a denominator, so this is not a coincidence. */
static bool is_exact(const struct repeat *r)
{
	enum { MOST_PARTS = 6 };

	for (int parts = 1; parts <= MOST_PARTS; parts++) {
		double n = r->cycles * parts;

		if (n == floor(n))
			return r->fit.residual == 0 && n * r->doubt < 1;
	}
	return false;
}

/* The row of the least time of each length.  A disturbance adds cycles, and may
 * hit one length of a row and another one of the next: no two rows agree then,
 * or those that do are bent alike.  All lengths but one must have their time in
 * two rows, and the line must be exact. */
static bool least_row(const struct shape *k, const struct repeat *r, size_t n,
		      struct repeat *ret)
{
	size_t confirmed = 0;

	*ret = r[0];
	for (int i = 0; i < PACK_LENGTHS; i++) {
		size_t alike = 0;

		for (size_t row = 0; row < n; row++)
			ret->ticks[i] = fmin(ret->ticks[i], r[row].ticks[i]);
		for (size_t row = 0; row < n; row++)
			alike += r[row].ticks[i] <= ret->ticks[i] + same_cycles;
		confirmed += alike > 1;
	}
	for (size_t row = 0; row < n; row++)
		if (r[row].n != ret->n)
			return false;
	fit_repeat(k, ret);
	return confirmed + 1 >= PACK_LENGTHS && ret->fit.rise > 0 &&
	       is_exact(ret);
}

/* May other rows say more than those that agree? */
static bool is_in_doubt(const struct estimate *e)
{
	return e->state == VERDICT_UNSTABLE || e->state == VERDICT_NOISY ||
	       e->state == VERDICT_NOT_LINEAR;
}

static void take_least(const struct repeat *r, struct estimate *e)
{
	e->state = VERDICT_OK;
	e->has_value = e->bounded = true;
	e->close = false;
	e->low = e->high = r->cycles;
	e->residual = e->uncertainty = 0;
}

static void judge_repeats(const struct repeat *r, size_t n, struct estimate *e)
{
	size_t best = 0;

	/* The group that most repeats agree on; of two equal ones the lower. */
	for (size_t i = 1; i < n; i++)
		if (agreeing(r, n, i) > agreeing(r, n, best))
			best = i;
	size_t size = agreeing(r, n, best);
	const struct repeat *mid = &r[best + (size - 1) / 2];

	e->residual = fabs(mid->fit.residual);
	e->low = r[0].cycles;
	e->high = r[n - 1].cycles;
	e->has_value = true;
	if (size < 2) {
		e->state = n < 2 ? VERDICT_NOISY : VERDICT_UNSTABLE;
		return;
	}
	e->low = e->high = mid->cycles;
	e->state = VERDICT_OK;
	e->bounded = true;
	e->uncertainty = fmax(r[best + size - 1].cycles / mid->cycles - 1,
			      1 - r[best].cycles / mid->cycles);
	if (mid->jump > 0) {
		e->low = e->high = mid->jump;
	} else if (!is_exact(mid)) {
		e->low = e->high = mid->centre;
		e->uncertainty = fmax(e->uncertainty, mid->doubt);
	}
	e->close = e->uncertainty > max_doubt;
	if (e->close)
		e->state = VERDICT_NOISY;
	for (size_t i = 0; i < n; i++) {
		size_t others = agreeing(r, n, i);

		/* Two repeats that agree elsewhere are a state, one is a
		 * disturbance. */
		if (others < 2 || (i < best + size && i + others > best))
			continue;
		e->state = VERDICT_TWO_STATES;
		e->low = fmin(e->low, r[i].cycles);
		e->high = fmax(e->high, r[i].cycles);
		return;
	}
}

/* Without a linear repeat, the least bent repeat gives the bend. */
static void refuse(const struct repeat *r, size_t n, struct estimate *e)
{
	double *off = xrealloc(NULL, n, sizeof(*off));

	for (size_t i = 0; i < n; i++)
		off[i] = fabs(r[i].fit.residual);
	e->state = VERDICT_NOT_LINEAR;
	e->residual = stats_median(off, n);
	for (size_t i = 0; i < n; i++)
		off[i] = r[i].bound;
	e->bound = stats_median(off, n);
	free(off);
}

static void judge_rows(struct repeat *r, size_t n, struct estimate *e)
{
	size_t n_linear = 0, n_rising = 0;

	for (size_t i = 0; i < n; i++) {
		if (r[i].fit.rise <= 0 || r[i].fit.range <= 0)
			continue;
		n_rising++;
		if (is_linear(&r[i])) {
			struct repeat keep = r[i];

			r[i] = r[n_linear];
			r[n_linear++] = keep;
		}
	}
	if (2 * n_rising < n || n_rising == 0) {
		e->state = VERDICT_IMPLAUSIBLE;
	} else if (n_linear < 2 && n_linear < n) {
		refuse(r, n, e);
	} else {
		qsort(r, n_linear, sizeof(*r), core_compare);
		judge_repeats(r, n_linear, e);
	}
}

/* Select the rows of a sample in which only the kernel ran; true if there are
 * any. */
static bool add_rows(const struct shape *k, const struct sample *m,
		     struct repeat *r, size_t *n)
{
	struct kernel_row kernel = { .instructions = k->instructions };
	struct silence_rule rule;
	bool any = false;

	memcpy(kernel.unroll, k->unroll, sizeof(kernel.unroll));
	rule = silence_rule(&kernel, m);
	for (size_t row = 0; row < m->n_rows; row++) {
		if (silence_interference(&rule, m, row))
			continue;
		any = true;
		*n += read_repeat(k, m, row, &r[*n]);
	}
	return any;
}

struct estimate estimate_core(const struct shape *k, const struct sample *m,
			      size_t n, enum estimate_combine combine)
{
	struct estimate e = { .state = VERDICT_MISSING,
			      .n_visits = (uint32_t)n };
	struct repeat *r = NULL;
	size_t n_rows = 0;
	bool interference = false, exact = false;
	struct repeat least;

	/* The comparison of repeats is the same for all kinds of kernels. */
	(void)combine;
	if (n == 0)
		return e;
	e.state = VERDICT_BAD_DATA;
	if (!fit_possible(k->unroll) || k->ops_per_body == 0)
		return e;
	for (size_t i = 0; i < n; i++) {
		if (m[i].row != ROW || m[i].n_iterations == 0)
			continue;
		r = xrealloc(r, n_rows + m[i].n_rows, sizeof(*r));
		if (add_rows(k, &m[i], r, &n_rows))
			e.visits++;
		else
			interference |= m[i].n_rows > 0;
	}
	for (size_t i = 0; i < n_rows; i++)
		if (i == 0 || r[i].shortest < e.shortest)
			e.shortest = r[i].shortest;
	if (n_rows > 0) {
		exact = least_row(k, r, n_rows, &least);
		judge_rows(r, n_rows, &e);
	} else if (interference) {
		e.state = VERDICT_INTERFERENCE;
	}
	if (exact && is_in_doubt(&e))
		take_least(&least, &e);
	free(r);
	return e;
}
