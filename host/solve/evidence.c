/* The cost of a kernel from the values of its visits; see evidence.h. */
#include "host/solve/evidence.h"

#include <math.h>

#include "host/solve/candidates.h"
#include "host/solve/levels.h"
#include "host/solve/states.h"
#include "host/solve/stats.h"

/* Chosen: one slowed calibration in five visits is harmless. */
enum {
	OUTVOTING = 4, /* visits that agree, against one that was faster */
	LONE = 8,      /* the same where it is too fast for a calibration */
	FEW_ROWS = 6,  /* of two visits that ended early (measure.c) */
	BENT = 3, /* visits; two bend to the same side by chance in one of two */
};

/* The value that most visits without flags share, among those that begin with
 * candidate `from` or a later one up to this many cycles. */
static struct value strongest(const struct reliability *t,
			      const struct candidates *b, size_t from,
			      double most_cycles)
{
	struct value best = { .n = 0 };

	for (size_t i = from; i < b->n && b->list[i].cycles <= most_cycles;
	     i++) {
		struct value v = candidates_value(t, b, i);

		if (v.n_unmarked > best.n_unmarked ||
		    (v.n_unmarked == best.n_unmarked &&
		     v.n_visits > best.n_visits))
			best = v;
	}
	return best;
}

/* The kernel's value, from the fastest one that recurs.  If values scatter, the
 * fastest begins below the middle of them: choose the adjacent value that most
 * visits without flags share.  Slowed calibrations make values too fast, and
 * recur as well, but more rarely: a value that is up to below_is_real slower
 * and far more common wins, or one that recurs without flags where the fastest
 * does not. */
static struct value settle(const struct reliability *t,
			   const struct candidates *b, struct value v)
{
	double low = v.n > 0 ? b->list[v.first].cycles : 0;
	struct value near, other;

	if (v.n == 0)
		return v;
	near = strongest(t, b, v.first, low * (1 + values_agree));
	other = strongest(t, b, v.first, low / (1 - below_is_real));

	if (near.n_unmarked > v.n_unmarked)
		v = near;
	if (other.n_unmarked > 0 &&
	    (other.n_unmarked >= OUTVOTING * v.n_unmarked ||
	     (v.n_unmarked < 2 && other.n_unmarked >= 2)))
		v = other;
	return v;
}

static void set_states(struct estimate *e, const struct value *low,
		       const struct value *high, double low_cycles,
		       double high_cycles)
{
	e->state = VERDICT_TWO_STATES;
	e->low = low_cycles;
	e->high = high_cycles;
	e->low_share = (double)low->n_unmarked /
		       (double)(low->n_unmarked + high->n_unmarked);
}

/* Is a single value without flags faster, by more than a slowed calibration can
 * explain? */
static bool is_contradicted(const struct candidates *b, const struct value *v,
			    double value, double margin)
{
	for (size_t i = 0; i < v->first; i++)
		if (b->list[i].marks == 0 &&
		    b->list[i].cycles < value * (1 - margin))
			return true;
	return false;
}

static void judge_value(const struct kernel_visits *k,
			const struct reliability *t, const struct candidates *b,
			struct value v, const struct levels *l,
			struct estimate *e)
{
	struct value other;
	double value, spread;
	size_t next;

	value = value_median(b, &v);
	spread = value_spread(b, &v);
	e->state = VERDICT_OK;
	e->low = e->high = value;
	e->visits = (uint32_t)v.n_visits;
	e->uncertainty = fmax(accuracy, spread);
	next = v.first + v.n;
	while (next < b->n && b->list[next].cycles < value * (1 + states_apart))
		next++;
	other = strongest(t, b, next, INFINITY);
	if (states_are_two(t, b, &v, &other, value))
		set_states(e, &v, &other, value, value_median(b, &other));
	else if (states_scatter(k,
				&(struct states_value){
					.reliability = t,
					.candidates = b,
					.chosen = &v,
					.levels_agree = levels_agree(l, value),
				},
				&e->low, &e->high)) {
		e->state = VERDICT_UNSTABLE;
		e->doubtful = true;
	}
	if (is_contradicted(b, &v, value,
			    e->unsteady ? states_apart : below_is_real)) {
		e->doubtful = true;
		if (v.n_unmarked < LONE) {
			e->state = VERDICT_UNSTABLE;
			e->low = b->list[0].cycles;
		}
	}
	e->unproved = e->state == VERDICT_OK &&
		      (e->unsteady ||
		       (k->combine == COMBINE_LOWEST && spread > accuracy));
	/* Two visits suffice if they differ by no more than the accuracy.  If
	 * all have flags, one more visit may have none; if rows are few, one
	 * more visit adds rows. */
	if ((v.n_visits < 3 && spread > accuracy) || v.n_unmarked == 0 ||
	    value_rows(b, &v) < FEW_ROWS || !value_is_settled(&v))
		e->doubtful = true;
}

/* A kernel whose lengths ran in different states.  If the line through the
 * fastest levels is below the value, it is the kernel's; the value is a second
 * state if it recurs.  A faster level of single visits requires further
 * visits. */
static void judge_levels(const struct levels *l, struct estimate *e)
{
	double value = e->low;
	bool states = e->state == VERDICT_OK && e->visits >= 2;

	if (levels_are_below(l, value)) {
		e->state = states ? VERDICT_TWO_STATES : VERDICT_OK;
		e->low = l->cycles;
		e->high = states ? value : l->cycles;
		e->visits = l->visits;
		e->residual = l->residual;
	}
	if (l->open && l->fastest < value * (1 - below_is_real)) {
		e->doubtful = true;
		e->state = VERDICT_UNSTABLE;
		e->low = fmin(e->low, l->fastest);
	}
}

/* A kernel whose visits are bent, because some lengths ran in another state. */
static void straighten(const struct levels *l, struct estimate *e)
{
	if (e->state != VERDICT_NOT_LINEAR || l->cycles <= 0 || l->open)
		return;
	e->state = VERDICT_OK;
	e->has_value = true;
	e->low = e->high = l->cycles;
	e->visits = l->visits;
	e->residual = l->residual;
	e->rough = 0;
}

static bool is_among(const size_t *list, size_t n, size_t x)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == x)
			return true;
	return false;
}

/* A straight line bends at random.  If the middle length lies off it on the
 * same side in each visit that has the value, by more than the accuracy of a
 * value in half of them and by half as much in all, then shorter lengths cost
 * more than their share, or less, and the slope is that of no instance. */
static void judge_bend(const struct kernel_visits *t,
		       const struct candidates *b, const struct value *v,
		       struct estimate *e)
{
	double bends[MAX_EVIDENCE], bend, least = INFINITY;
	size_t seen[MAX_EVIDENCE];
	double part, first, second;
	size_t n = 0;

	if (e->state != VERDICT_OK || !t->unroll)
		return;
	for (size_t i = v->first; i < v->first + v->n && n < MAX_EVIDENCE; i++)
		if (b->list[i].marks == 0 &&
		    !is_among(seen, n, b->list[i].visit)) {
			seen[n] = b->list[i].visit;
			bends[n++] = t->visits[b->list[i].visit].bend;
		}
	if (n < 2)
		return;
	bend = stats_median(bends, n);
	for (size_t i = 0; i < n; i++)
		least = fmin(least, bend > 0 ? bends[i] : -bends[i]);
	if (fabs(bend) <= accuracy || least <= fabs(bend) / 2)
		return;
	if (n < BENT) {
		e->doubtful = true;
		return;
	}
	part = (double)(t->unroll[1] - t->unroll[0]) /
	       (double)(t->unroll[2] - t->unroll[0]);
	first = e->low * (1 + bend / part);
	second = e->low * (1 - bend / (1 - part));
	e->state = VERDICT_NOT_LINEAR;
	e->low = fmin(first, second);
	e->high = fmax(first, second);
}

/* No value counts: report the observed values. */
static void judge_rest(const struct reliability *t, const struct candidates *b,
		       struct estimate *e)
{
	struct value best = { .n = 0 };

	e->doubtful = true;
	if (b->n == 0)
		return;
	best = settle(t, b, candidates_recurring(t, b, false));
	for (size_t i = 0; i < b->n && best.n == 0; i++)
		if (b->list[i].marks == 0)
			best = candidates_value(t, b, i);
	if (best.n_unmarked == 0)
		return;
	e->has_value = true;
	e->visits = (uint32_t)best.n_visits;
	e->low = e->high = value_median(b, &best);
	if (best.n_visits < 2 && b->n_unmarked >= 2) {
		e->state = VERDICT_UNSTABLE;
		e->low = b->list[0].cycles;
		e->high = b->list[b->n - 1].cycles;
	}
}

/* Do this many visits without a value show the kernel, not a disturbance? */
static bool is_rule(size_t n, size_t n_values, size_t n_visits)
{
	return n > n_values && (n >= 2 || n == n_visits);
}

/* Judge the kernel by its visits without a value; false: not decided. */
static bool judge_shape(const struct kernel_visits *t, struct estimate *e)
{
	double residuals[MAX_EVIDENCE], bounds[MAX_EVIDENCE];
	size_t n_bent = 0, n_implausible = 0, n = 0;
	size_t n_unmarked = 0, n_values = 0;

	for (uint32_t i = 0; i < t->n && i < MAX_EVIDENCE; i++) {
		const struct visit *v = &t->visits[i];

		if (v->state == VERDICT_BAD_DATA)
			continue;
		residuals[n] = v->residual;
		bounds[n++] = v->bound;
		n_bent += v->state == VERDICT_NOT_LINEAR;
		n_implausible += v->state == VERDICT_IMPLAUSIBLE;
		n_values += v->state == VERDICT_OK && v->n_values > 0;
		n_unmarked += v->state == VERDICT_OK && v->n_values > 0 &&
			      v->values[0].marks == 0;
		if (v->state == VERDICT_NOT_LINEAR)
			e->rough = fmax(e->rough, v->rough);
	}
	if (n == 0) {
		e->state = VERDICT_BAD_DATA;
		return true;
	}
	e->bound = stats_median(bounds, n);
	e->residual = stats_median(residuals, n);
	/* Only visits with enough rows without flags can be not linear, so only
	 * values without flags count against them. */
	if (is_rule(n_bent, n_unmarked, n))
		e->state = VERDICT_NOT_LINEAR;
	else if (is_rule(n_implausible, n_values, n))
		e->state = VERDICT_IMPLAUSIBLE;
	else
		e->rough = 0;
	return e->state != VERDICT_NOISY;
}

struct estimate evidence_judge(const struct evidence *ev,
			       const struct kernel_visits *t)
{
	const struct reliability *reliability =
		&ev->reliability[t->class][t->combine];
	struct estimate e = { .state = VERDICT_NOISY,
			      .uncertainty = accuracy,
			      .unsteady = states_are_frequent(reliability),
			      .n_visits = t->n };
	struct candidates b;
	struct levels l;
	struct value v;

	if (t->n == 0) {
		e.state = VERDICT_MISSING;
		return e;
	}
	l = levels_find(t);
	e.shortest = l.shortest;
	e.shortest_slow = l.shortest_slow;
	e.n_shortest = l.n_shortest;
	e.without_reading = true;
	if (judge_shape(t, &e)) {
		straighten(&l, &e);
		e.doubtful = e.state != VERDICT_BAD_DATA && t->n < 3;
		e.doubtful |= e.state == VERDICT_NOT_LINEAR && l.open;
		return e;
	}
	candidates_collect(t, reliability, &b);
	v = settle(reliability, &b,
		   candidates_recurring(reliability, &b, true));
	if (v.n == 0 || !value_counts(&v)) {
		judge_rest(reliability, &b, &e);
		return e;
	}
	e.has_value = true;
	judge_value(t, reliability, &b, v, &l, &e);
	judge_levels(&l, &e);
	judge_bend(t, &b, &v, &e);
	/* Kernels that a disturbance slows are few in a class that ignores it,
	 * but each of them always is one of these. */
	if (!v.witnessed && e.state == VERDICT_OK) {
		e.state = VERDICT_NOISY;
		e.doubtful = true;
	}
	e.doubtful |= e.state != VERDICT_OK && t->n < 3;
	return e;
}
