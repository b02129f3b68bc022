/* See candidates.h. */
#include "host/solve/candidates.h"

#include <math.h>
#include <stdlib.h>

/* A value counts if it is this much less likely to be wrong than right.
 * Chosen: ten of 10,000 kernels with just enough visits are wrong.  So further
 * visits are made until it is a tenth of that. */
static const double max_doubt = 1e-3, settled_doubt = 1e-4;

/* One-sided quantile of the normal distribution for 95 %. */
static const double confidence = 1.645;

/* Upper confidence bound of a share of which n visits of `all` were seen (E. B.
 * Wilson, "Probable inference", JASA 22, 1927). */
static double upper_share(double n, double all)
{
	double z2 = confidence * confidence, share = n / all;
	double root = sqrt(share * (1 - share) / all + z2 / (4 * all * all));

	return (share + z2 / (2 * all) + confidence * root) / (1 + z2 / all);
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

uint8_t visit_value_marks(const struct visit_value *v, uint32_t ignored)
{
	return v->marks < MARK_SETS && ignored >> v->marks & 1 ? 0 : v->marks;
}

bool candidate_has(const struct candidate *b, uint8_t set)
{
	const uint8_t rows = MARK_SETS - 1;

	return set >> MARK_TOGETHER ? (b->marks & rows) == (set & rows)
				    : b->marks == set;
}

void candidates_collect(const struct kernel_visits *t,
			const struct reliability *reliability,
			struct candidates *ret)
{
	ret->n = ret->n_unmarked = 0;
	for (uint32_t i = 0; i < t->n && i < MAX_EVIDENCE; i++) {
		const struct visit *v = &t->visits[i];
		bool unmarked = false;

		for (int at = 0; at < v->n_values; at++) {
			struct candidate *b = &ret->list[ret->n++];

			b->cycles = v->values[at].cycles;
			b->n_rows = v->values[at].n_rows;
			b->marks = visit_value_marks(&v->values[at],
						     reliability->ignored);
			b->witness = visit_value_marks(
					     &v->values[at],
					     reliability->wrong_probe | 1) == 0;
			b->visit = (uint8_t)i;
			unmarked |= b->marks == 0;
		}
		ret->n_unmarked += unmarked;
	}
	qsort(ret->list, ret->n, sizeof(ret->list[0]), compare_candidates);
}

size_t count_bits(uint64_t bits)
{
	return (size_t)__builtin_popcountll(bits);
}

/* The factor of visits with flags: of the sets of flags that two visits or more
 * have, the one with the fewest wrong values.  One visit read together is
 * enough if a visit without flags has the value: its rows are from different
 * moments. */
static double doubt_of_marked(const struct reliability *t,
			      const struct candidates *b, const struct value *v)
{
	double best = 1;

	for (size_t i = v->first; i < v->first + v->n; i++) {
		uint64_t visits = 0;
		uint8_t marks = b->list[i].marks;

		if (marks >> MARK_TOGETHER && v->n_unmarked > 0)
			best = fmin(best, t->wrong_alone[marks]);
		if (marks == 0 || t->wrong[marks] >= best)
			continue;
		for (size_t at = v->first; at < v->first + v->n; at++)
			if (candidate_has(&b->list[at], marks))
				visits |= 1ull << b->list[at].visit;
		if (count_bits(visits) >= 2)
			best = t->wrong[marks];
	}
	return best;
}

size_t value_slower(const struct candidates *b, const struct value *v)
{
	size_t most = 0;

	for (size_t i = v->first + v->n; i < b->n; i++) {
		uint64_t visits = 0;

		for (size_t at = i;
		     at < b->n &&
		     b->list[at].cycles <=
			     b->list[i].cycles * (1 + values_agree);
		     at++)
			if (b->list[at].marks == 0)
				visits |= 1ull << b->list[at].visit;
		if (count_bits(visits) > most)
			most = count_bits(visits);
	}
	return most;
}

/* The chance that all n visits without flags that agree are wrong, over the
 * chance that they are correct.  Correct: right^n; then the m visits that agree
 * on a slower value are wrong, coincide^(m-1).  Wrong: (1 - right)^n, and they
 * agree, coincide^(n-1).  If wrong visits mostly agree, there is one usual slow
 * state, and these m and n visits are not both in it.  With shares f and 1 - f
 * of two slow states two wrong visits agree with the chance f^2 + (1 - f)^2.
 * This gives f, and f^n (1 - f)^m for the likelier order.  If many visits
 * disagree with each other, the kernel's share of correct ones is below that of
 * its class: the upper bound of its own share counts.  Visits in a slower state
 * at least as common do not enter that share. */
static double doubt_of_unmarked(const struct reliability *t,
				const struct candidates *b,
				const struct value *v)
{
	double n = (double)v->n_unmarked, wrong;
	double m = (double)value_slower(b, v);
	double right, other, all;

	if (n == 0)
		return 1;
	if (m >= 2 && t->coincide > 0.5) {
		double f = (1 + sqrt(2 * t->coincide - 1)) / 2;

		wrong = fmax(pow(f, n) * pow(1 - f, m),
			     pow(1 - f, n) * pow(f, m)) /
			pow(t->coincide, m - 1);
	} else {
		wrong = pow(t->coincide, n - 1);
	}
	other = m >= n ? m : 0;
	all = fmax(n, (double)b->n_unmarked - other);
	right = fmin(upper_share(n, all), t->right);
	if (m < 2)
		right = fmin(right, t->right_of_two);
	return pow((1 - right) / right, n) * fmin(wrong, 1);
}

/* The value that begins with the candidate `first`, without its doubt. */
static struct value gather_value(const struct candidates *b, size_t first)
{
	struct value v = { .first = first };
	uint64_t all = 0, unmarked = 0;
	size_t end = first;

	while (end < b->n &&
	       b->list[end].cycles <=
		       b->list[first].cycles * (1 + values_agree)) {
		uint64_t visit = 1ull << b->list[end].visit;

		all |= visit;
		if (b->list[end].marks == 0)
			unmarked |= visit;
		v.witnessed |= b->list[end].witness;
		end++;
	}
	v.n = end - first;
	v.n_visits = count_bits(all);
	v.n_unmarked = count_bits(unmarked);
	return v;
}

struct value candidates_value(const struct reliability *t,
			      const struct candidates *b, size_t first)
{
	struct value v = gather_value(b, first);

	v.doubt = doubt_of_marked(t, b, &v) * doubt_of_unmarked(t, b, &v);
	return v;
}

bool value_counts(const struct value *v)
{
	return v->n_visits >= 2 && v->doubt <= max_doubt;
}

bool value_is_settled(const struct value *v)
{
	return v->doubt <= settled_doubt;
}

struct value candidates_recurring(const struct reliability *t,
				  const struct candidates *b, bool with_marks)
{
	for (size_t i = 0; i < b->n; i++) {
		struct value v = gather_value(b, i);

		if (v.n_unmarked >= 2)
			return candidates_value(t, b, i);
		if (!with_marks)
			continue;
		v = candidates_value(t, b, i);
		if (value_counts(&v))
			return v;
	}
	return (struct value){ .n = 0 };
}

/* Does the candidate take part in the median of a value? */
static bool takes_part(const struct candidate *b, const struct value *v)
{
	return b->marks == 0 || v->n_unmarked == 0;
}

uint32_t value_rows(const struct candidates *b, const struct value *v)
{
	uint32_t n = 0;

	for (size_t i = v->first; i < v->first + v->n; i++)
		if (takes_part(&b->list[i], v))
			n += b->list[i].n_rows;
	return n;
}

void value_count_rows(const struct kernel_visits *t, const struct candidates *b,
		      const struct value *v, size_t *ret_n, size_t *ret_sharing)
{
	uint64_t visits = 0;

	*ret_n = *ret_sharing = 0;
	for (size_t i = v->first; i < v->first + v->n; i++) {
		if (b->list[i].marks != 0)
			continue;
		visits |= 1ull << b->list[i].visit;
		*ret_sharing += b->list[i].n_rows;
	}
	for (uint32_t i = 0; i < t->n && i < MAX_EVIDENCE; i++)
		if (visits >> i & 1)
			*ret_n += t->visits[i].n_straight;
	/* An ignored set of flags makes rows with flags count. */
	*ret_n = *ret_n > *ret_sharing ? *ret_n : *ret_sharing;
}

/* The candidate below which this many rows are. */
static double quantile(const struct candidates *b, const struct value *v,
		       double rows)
{
	double value = b->list[v->first].cycles;

	for (size_t i = v->first; i < v->first + v->n; i++) {
		if (!takes_part(&b->list[i], v))
			continue;
		value = b->list[i].cycles;
		rows -= b->list[i].n_rows;
		if (rows < 0)
			break;
	}
	return value;
}

double value_median(const struct candidates *b, const struct value *v)
{
	double n = value_rows(b, v);

	/* With an even number of rows, the mean of the middle two. */
	return (quantile(b, v, (n - 1) / 2) + quantile(b, v, n / 2)) / 2;
}

double value_spread(const struct candidates *b, const struct value *v)
{
	double value = value_median(b, v), most = 0;

	for (size_t i = v->first; i < v->first + v->n; i++)
		if (takes_part(&b->list[i], v))
			most = fmax(most, fabs(b->list[i].cycles / value - 1));
	return most;
}
