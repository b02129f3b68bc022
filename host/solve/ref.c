/* Estimates from a clock that ticks at a constant rate while the core's
 * frequency drifts and others disturb it.
 *
 * Every row is a sandwich: the kernel's three lengths between two chains of
 * 1-cycle operations, each at two lengths.  A chain's difference over its two
 * lengths is free of every constant cost; chain a is long before the kernel
 * and short after it, chain b the other way round, so that a drift or a step
 * of the frequency pulls the two apart and is seen. */
#include <math.h>
#include <stdlib.h>

#include "host/solve/estimate.h"
#include "host/solve/fit.h"
#include "host/solve/sandwich.h"
#include "host/solve/stats.h"

enum {
	MIN_KEPT = 3,   /* sandwiches a clean visit rests on */
	MIN_VISITS = 3, /* that anything else than agreement rests on */
};

/* METHOD: the limits that leave 0.3-0.4 % error at p99.9 of known integers. */
static const double max_slow = 0.04; /* above the lower quartile */
static const double quartile = 0.25;
static const double max_probe = 0.10; /* above the baseline */
static const double max_ratio = 0.02; /* off the median ratio */
/* A stall inside one length bends its line: such a row goes, however many
 * sandwiches a storm of stalls hits. */
static const double max_bend = 0.03;
/* A kernel is straight when the middle of its rows is. */
static const double max_residual = 0.02;

/* Two values of one visit this close are one state. */
static const double one_state = 0.01;

struct sandwich {
	double tpc;   /* ticks per cycle */
	double ticks; /* per op */
	double bend;
	double bound; /* ticks per op, loop and all, of the best length */
	bool busy;    /* a sibling was, before the kernel or behind it */
};

/* Is the probe of this row slow?  So is what a disturbed row tells of it. */
static bool is_busy(const struct calibration *c, const struct sample *m,
		    const struct sandwich_row *r)
{
	double probe = sandwich_probe(r, c->reading, m->calib_iterations[2]);

	return c->probe_baseline > 0 &&
	       probe > c->probe_baseline * (1 + max_probe);
}

/* Sandwiches whose calibration can be trusted; the others are counted.  A
 * kernel stands between the probe of its row and that of the next. */
static size_t read_visit(const struct shape *k, const struct calibration *c,
			 const struct sample *m, struct sandwich *list,
			 double *work, size_t discarded[N_DISCARDS])
{
	size_t n = 0, kept = 0;
	bool adjacent = false; /* is list[n - 1] of the row before? */

	for (size_t row = 0; row < m->n_rows; row++) {
		struct sandwich *s = &list[n];
		struct sandwich_row r;
		bool good = sandwich_read(c, m, row, &r);

		if (adjacent && r.tpc > 0 && is_busy(c, m, &r))
			list[n - 1].busy = true;
		adjacent = good;
		if (!good)
			continue;

		struct fit f = fit_line(r.lengths, k->unroll);

		s->tpc = r.tpc;
		s->busy = is_busy(c, m, &r);
		s->ticks = f.rise /
			   (f.run * (double)m->n_iterations * k->ops_per_body);
		s->bend = f.range > 0 ? f.residual : NAN;
		s->bound = fit_bound(r.lengths, k->unroll) /
			   (double)m->n_iterations / k->ops_per_body;
		work[n++] = s->tpc;
	}
	discarded[DISCARD_CHAINS] += m->n_rows - n;
	if (n == 0)
		return 0;

	double slow = stats_quantile(work, n, quartile) * (1 + max_slow);

	for (size_t i = 0; i < n; i++)
		if (list[i].tpc > slow)
			discarded[DISCARD_SLOW]++;
		else if (list[i].busy)
			discarded[DISCARD_BUSY]++;
		else
			list[kept++] = list[i];
	return kept;
}

/* What a visit says. */
struct visit {
	enum estimate_state state;
	double cycles;
	double residual;
	double other; /* a second state seen beside `cycles`, or 0 */
	double bound; /* of struct estimate, or 0 */
};

/* Drop rows with a bend of their own.  Returns how many are left; rows whose
 * slope is not above zero have none and count as NAN. */
static size_t drop_bent(struct sandwich *list, size_t n, double *work,
			double *ret_bend)
{
	size_t rising = 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(list[i].bend))
			work[rising++] = list[i].bend;
	if (2 * rising < n || rising == 0)
		return 0;
	*ret_bend = stats_median(work, rising);
	for (size_t i = 0; i < n; i++)
		if (fabs(list[i].bend - *ret_bend) <= max_bend)
			list[kept++] = list[i];
	return kept;
}

/* A second value that a quarter of the rows share, 0 if there is none. */
static double second_state(const struct sandwich *list, size_t n, double median,
			   double *work)
{
	size_t others = 0, close = 0;

	for (size_t i = 0; i < n; i++) {
		double ratio = list[i].ticks / list[i].tpc;

		if (fabs(ratio - median) > max_ratio * median)
			work[others++] = ratio;
	}
	if (others < MIN_KEPT || 4 * others < n)
		return 0;

	double other = stats_median(work, others);

	for (size_t i = 0; i < others; i++)
		close += fabs(work[i] - other) <= one_state * other;
	return close >= MIN_KEPT && 4 * close >= n ? other : 0;
}

static struct visit judge_visit(struct sandwich *list, size_t n, double *work,
				size_t need)
{
	struct visit v = { .state = ESTIMATE_NOISY };
	double ticks = 0, cycles = 0, bend = 0;
	size_t kept = 0;

	if (n < need)
		return v;
	for (size_t i = 0; i < n; i++)
		work[i] = list[i].bound / list[i].tpc;
	v.bound = stats_median(work, n);
	n = drop_bent(list, n, work, &bend);
	v.residual = fabs(bend);
	if (n == 0)
		v.state = ESTIMATE_IMPLAUSIBLE;
	else if (v.residual > max_residual)
		v.state = ESTIMATE_NOT_LINEAR;
	if (n < need || v.state == ESTIMATE_IMPLAUSIBLE)
		return v;
	for (size_t i = 0; i < n; i++)
		work[i] = list[i].ticks / list[i].tpc;

	double median = stats_median(work, n);

	v.cycles = median;
	if (v.state == ESTIMATE_NOT_LINEAR)
		return v;

	for (size_t i = 0; i < n; i++) {
		if (fabs(list[i].ticks / list[i].tpc - median) >
		    max_ratio * fabs(median))
			continue;
		ticks += list[i].ticks;
		cycles += list[i].tpc;
		kept++;
	}
	if (kept < need)
		return v;
	v.state = ticks > 0 ? ESTIMATE_OK : ESTIMATE_IMPLAUSIBLE;
	v.cycles = ticks / cycles;
	v.other = second_state(list, n, median, work);
	return v;
}

static struct visit one_visit(const struct shape *k,
			      const struct calibration *c,
			      const struct sample *m)
{
	struct sandwich *list = xrealloc(NULL, m->n_rows, sizeof(*list));
	double *work = xrealloc(NULL, m->n_rows, sizeof(*work));
	size_t need = m->n_rows < MIN_KEPT ? m->n_rows : MIN_KEPT;
	size_t discarded[N_DISCARDS] = { 0 };
	size_t n = read_visit(k, c, m, list, work, discarded);
	struct visit v = judge_visit(list, n, work, need);

	free(list);
	free(work);
	return v;
}

static double spread_of(const struct sandwich *list, size_t n)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n; i++) {
		double ratio = list[i].ticks / list[i].tpc;

		least = ratio < least ? ratio : least;
		most = ratio > most ? ratio : most;
	}
	return n > 0 && least > 0 ? most / least - 1 : 0;
}

void estimate_discards(const struct shape *k, const struct calibration *c,
		       const struct sample *m, size_t discarded[N_DISCARDS],
		       double *spread)
{
	double bend, apart;
	size_t n, kept;

	if (!sandwich_ok(m))
		return;

	struct sandwich *list = xrealloc(NULL, m->n_rows, sizeof(*list));
	double *work = xrealloc(NULL, m->n_rows, sizeof(*work));

	n = read_visit(k, c, m, list, work, discarded);
	kept = drop_bent(list, n, work, &bend);
	discarded[DISCARD_BENT] += n - kept;
	apart = spread_of(list, kept);
	*spread = apart > *spread ? apart : *spread;
	free(list);
	free(work);
}

/* Everything the visits said, by what they said. */
struct tally {
	double *values, *residuals, *others, *bounds;
	size_t n_values, n_residuals, n_others, n_bounds;
	size_t n_bent, n_implausible;
	double rough; /* slowest of the bent ones */
};

static void count(struct tally *t, const struct visit *v)
{
	t->n_bent += v->state == ESTIMATE_NOT_LINEAR;
	if (v->state == ESTIMATE_NOT_LINEAR)
		t->rough = fmax(t->rough, v->cycles);
	t->n_implausible += v->state == ESTIMATE_IMPLAUSIBLE;
	if (v->state == ESTIMATE_OK || v->state == ESTIMATE_NOT_LINEAR)
		t->residuals[t->n_residuals++] = v->residual;
	if (v->state == ESTIMATE_OK)
		t->values[t->n_values++] = v->cycles;
	if (v->bound > 0)
		t->bounds[t->n_bounds++] = v->bound;
	if (v->state == ESTIMATE_OK && v->other > 0)
		t->others[t->n_others++] = v->other;
}

/* Do so many visits speak for the kernel, and not for a storm they met? */
static bool is_rule(size_t n, size_t n_values, size_t n_visits)
{
	return n > n_values && (n >= 2 || n == n_visits);
}

static void judge(struct tally *t, enum estimate_combine combine,
		  struct estimate *e)
{
	if (t->n_bounds > 0)
		e->bound = stats_median(t->bounds, t->n_bounds);
	if (t->n_residuals > 0)
		e->residual = stats_median(t->residuals, t->n_residuals);
	if (is_rule(t->n_bent, t->n_values, e->n_visits)) {
		e->state = ESTIMATE_NOT_LINEAR;
		e->rough = t->rough;
		return;
	}
	if (is_rule(t->n_implausible, t->n_values, e->n_visits)) {
		e->state = ESTIMATE_IMPLAUSIBLE;
		return;
	}
	estimate_combine_visits(t->values, t->n_values, combine, e);
	/* Two visits that each saw both states are no chance. */
	if (t->n_others >= 2) {
		double other = stats_median(t->others, t->n_others);

		e->state = ESTIMATE_TWO_STATES;
		e->low = fmin(e->low, other);
		e->high = fmax(e->high, other);
	}
}

struct estimate estimate_ref(const struct shape *k, const struct calibration *c,
			     const struct sample *m, size_t n,
			     enum estimate_combine combine)
{
	struct estimate e = { .state = ESTIMATE_MISSING,
			      .n_visits = (uint32_t)n };
	size_t n_good = 0;

	if (n == 0)
		return e;
	e.state = c->usable ? ESTIMATE_BAD_DATA : ESTIMATE_NO_CALIBRATION;
	if (!c->usable || !fit_possible(k->unroll) || k->ops_per_body == 0)
		return e;

	double *room = xrealloc(NULL, n, 4 * sizeof(*room));
	struct tally t = { .values = room,
			   .residuals = room + n,
			   .others = room + 2 * n,
			   .bounds = room + 3 * n };

	for (size_t i = 0; i < n; i++) {
		struct visit v;

		if (!sandwich_ok(&m[i]))
			continue;
		v = one_visit(k, c, &m[i]);
		count(&t, &v);
		n_good++;
	}
	if (n_good > 0)
		judge(&t, combine, &e);
	e.doubtful |= e.state == ESTIMATE_NOISY ||
		      e.state == ESTIMATE_UNSTABLE ||
		      (e.state != ESTIMATE_OK && n < MIN_VISITS);
	free(room);
	return e;
}
