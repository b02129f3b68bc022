/* See states.h.
 *
 * A visit without flags that is slower than the kernel's value is either
 * disturbed or shows the kernel in another state of the core.  Disturbances
 * come from outside and are assumed to strike all classes of kernels alike, so
 * the class with the smallest share of wrong visits shows how frequent they
 * are.  If a kernel clearly has more slow visits than that, it has states. */
#include "host/solve/states.h"

#include <math.h>

/* Chosen: slow visits this many times as frequent as disturbances are a
 * state, */
static const double unusual = 3;
/* and so are counts that chance gives with at most this probability. */
static const double rare = 0.01;
/* In a class whose kernels often have states, slow visits show a state if the
 * probability that all of them are disturbed is at most this. */
static const double few = 0.05;
/* Chosen: visits that agree on a slower value are a state if they are so many
 * of all. */
static const double least_share = 0.25;

/* So many rows without flags, of which no three agree, are no accident.
 * Chosen: of eleven that a visit has. */
enum { MANY_ROWS = 8 };

/* Share of visits above which wrong ones are unusual. */
static double share_of_disturbed(const struct reliability *t)
{
	return fmin(unusual * t->noise, 0.5);
}

bool states_are_frequent(const struct reliability *t)
{
	return 1 - t->right > share_of_disturbed(t);
}

/* Of the visits of a class that are wrong, the share that disturbances explain;
 * states of kernels explain the others. */
static double share_of_wrong(const struct reliability *t)
{
	return t->right < 1 ? fmin(t->noise / (1 - t->right), 1) : 1;
}

/* The chance that of n visits at least `least` are wrong, if each is with
 * chance q: the upper tail of the binomial distribution. */
static double chance_of(size_t least, size_t n, double q)
{
	double one = pow(1 - q, (double)n), sum = 0;

	for (size_t k = 0; k <= n; k++) {
		sum += k >= least ? one : 0;
		one *= (double)(n - k) / (double)(k + 1) * q / (1 - q);
	}
	return sum;
}

/* Visits with values without flags, all of them more than states_apart above
 * `cycles`. */
static size_t count_slower(const struct candidates *b, double cycles)
{
	uint64_t all = 0, near = 0;

	for (size_t i = 0; i < b->n; i++) {
		uint64_t visit = 1ull << b->list[i].visit;

		if (b->list[i].marks != 0)
			continue;
		all |= visit;
		if (b->list[i].cycles < cycles * (1 + states_apart))
			near |= visit;
	}
	return count_bits(all & ~near);
}

bool states_are_two(const struct reliability *t, const struct candidates *b,
		    const struct value *chosen, const struct value *other,
		    double cycles)
{
	size_t n = count_slower(b, cycles);
	double q = share_of_disturbed(t);
	double all = (double)b->n_unmarked;

	if (chosen->n_unmarked == 0 || other->n_unmarked == 0)
		return false;
	if (other->n_unmarked >= 2 &&
	    (double)other->n_unmarked >= fmax(least_share, q) * all)
		return true;
	return n >= 2 && (chance_of(n, b->n_unmarked, q) <= rare ||
			  (states_are_frequent(t) &&
			   pow(share_of_wrong(t), (double)n) <= few));
}

/* Has the visit undisturbed rows, but no value?  Either they lie on no line, or
 * they have nothing in common. */
static bool is_without(const struct visit *v)
{
	return v->state == VERDICT_NOT_LINEAR ||
	       (v->n_values == 0 && v->n_unmarked >= MANY_ROWS);
}

/* Is the candidate without flags and near the value? */
static bool is_near(const struct candidate *b, double cycles)
{
	return b->marks == 0 && fabs(b->cycles / cycles - 1) <= below_is_real;
}

/* Do more rows of the visits that agree lie off the value than disturbances
 * explain?  Then the rows scatter, and those at the value may be the densest
 * ones by chance.  False if visits agree to the accuracy of a value, because
 * rows that scatter do not.  False for chains: their rows scatter only by
 * disturbances. */
static bool rows_scatter(const struct kernel_visits *t,
			 const struct reliability *reliability,
			 const struct candidates *b, const struct value *v)
{
	double q = fmin(unusual * reliability->row_noise, 0.5);
	size_t n, n_sharing;

	if (t->combine != COMBINE_LOWEST || value_spread(b, v) <= accuracy)
		return false;
	value_count_rows(t, b, v, &n, &n_sharing);
	return n > n_sharing && chance_of(n - n_sharing, n, q) <= rare;
}

/* Extend *low and *high to the values of all visits near the chosen one, and to
 * the middle half of the rows of each. */
static void extend(const struct kernel_visits *t, const struct candidates *b,
		   double cycles, double *low, double *high)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct visit *v = &t->visits[b->list[i].visit];

		if (!is_near(&b->list[i], cycles))
			continue;
		*low = fmin(*low, b->list[i].cycles);
		*high = fmax(*high, b->list[i].cycles);
		if (v->n_straight > 0) {
			*low = fmin(*low, v->quartiles[0]);
			*high = fmax(*high, v->quartiles[1]);
		}
	}
}

bool states_scatter(const struct kernel_visits *t, const struct states_value *v,
		    double *low, double *high)
{
	const struct candidates *b = v->candidates;
	const struct value *chosen = v->chosen;
	double cycles = value_median(b, chosen);
	uint64_t visits = 0;
	size_t n_near;

	if (chosen->n_unmarked == 0)
		return false;
	for (size_t i = 0; i < b->n; i++)
		if (is_near(&b->list[i], cycles))
			visits |= 1ull << b->list[i].visit;
	n_near = count_bits(visits);
	for (uint32_t i = 0; i < t->n && i < MAX_EVIDENCE; i++)
		n_near += is_without(&t->visits[i]);
	if ((v->levels_agree || 2 * chosen->n_unmarked >= n_near) &&
	    !rows_scatter(t, v->reliability, b, chosen))
		return false;
	extend(t, b, cycles, low, high);
	return true;
}
