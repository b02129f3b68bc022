/* Measure the pairs of classes, the first evidence for the matrix. */
#include <math.h>

#include "host/ports/evidence.h"
#include "host/ports/pairs.h"

static unsigned all_pairs_gcd(unsigned a, unsigned b)
{
	return b == 0 ? a : all_pairs_gcd(b, a % b);
}

static struct ports_mix pair_mix(const struct infer *in, size_t i, size_t j)
{
	unsigned x = in->classes[i].size, y = in->classes[j].size;
	unsigned common = all_pairs_gcd(x, y);
	struct ports_mix mix = { .n = 0 };

	infer_add(&mix, in->classes[i].form, x / common);
	infer_add(&mix, in->classes[j].form, y / common);
	return mix;
}

/* Range of union sizes that the time of a pair allows. */
static void union_range(const struct matrix_experiment *x, double *ret_low,
			double *ret_high)
{
	double n = x->part[0].count + x->part[1].count;

	*ret_low = ceil(n / x->high - 1e-6);
	*ret_high = floor(n / x->low + 1e-6);
}

static bool is_possible(const struct infer *in, size_t i, size_t j,
			const struct matrix_experiment *x)
{
	double low, high;

	union_range(x, &low, &high);
	return low <= high &&
	       high >= fmax(in->classes[i].size, in->classes[j].size);
}

/* Record what a pair's time says about its union. False when no matrix allows
 * that time. */
static bool note_pair(const struct infer *in, struct pair_bounds *b, size_t i,
		      size_t j, const struct matrix_experiment *x)
{
	double low, high;

	union_range(x, &low, &high);
	if (high < 1 || high < fmax(in->classes[i].size, in->classes[j].size))
		return false;
	/* Experiments cannot distinguish unions that are as large as the
	 * width, or larger. */
	if (high >= in->cap)
		high = b->high[i][j];
	return low <= high &&
	       pairs_note(b, i, j, (unsigned)fmax(low, 1), (unsigned)high);
}

/* The measurement of these two classes alone; NULL: none. */
static const struct matrix_experiment *known_pair(const struct infer *in,
						  size_t i, size_t j)
{
	const struct matrix_experiment *x = (const void *)in->experiments.bytes;
	const bool *dropped = (const void *)in->dropped.bytes;

	for (size_t k = 0; k < in->experiments.n / sizeof(*x); k++)
		if (!dropped[k] && x[k].n == 2 && x[k].part[0].row == i &&
		    x[k].part[1].row == j)
			return &x[k];
	return NULL;
}

static size_t plan_pairs(const struct infer *in, const struct pair_bounds *b,
			 size_t i, struct ports_mix *mixes, size_t *with)
{
	size_t n = 0;

	for (size_t j = 0; j < in->n_classes; j++) {
		if (j == i || in->classes[j].out || in->classes[i].out ||
		    b->size[j] > b->size[i] ||
		    (b->size[j] == b->size[i] && j < i) || pairs_known(b, i, j))
			continue;
		with[n] = j;
		mixes[n] = pair_mix(in, i, j);
		n += known_pair(in, i, j) == NULL;
	}
	return n;
}

/* Measure mixes; those without a value a second time, with twice as many
 * instances, which shows the same union.  Some cores run a short mix at
 * changing speed. */
static int measure_mixes(struct infer *in, struct ports_mix *mixes, size_t n,
			 struct ports_value *values)
{
	struct ports_mix again[PORTS_MAX_CLASSES];
	struct ports_value got[PORTS_MAX_CLASSES];
	size_t at[PORTS_MAX_CLASSES], n_again = 0;

	if (infer_measure(in, PORTS_MATRIX, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++) {
		if (values[i].has_value)
			continue;
		again[n_again] = mixes[i];
		for (size_t k = 0; k < mixes[i].n; k++)
			again[n_again].part[k].count *= 2;
		at[n_again++] = i;
	}
	if (infer_measure(in, PORTS_MATRIX, again, n_again, got) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n_again; i++) {
		mixes[at[i]] = again[i];
		values[at[i]] = got[i];
	}
	return ERR_OK;
}

static int measure_pairs(struct infer *in, struct pair_bounds *b, size_t i,
			 bool (*is_bad)[PORTS_MAX_CLASSES])
{
	struct ports_mix mixes[PORTS_MAX_CLASSES];
	struct ports_value values[PORTS_MAX_CLASSES];
	size_t with[PORTS_MAX_CLASSES];
	size_t n = plan_pairs(in, b, i, mixes, with);

	if (measure_mixes(in, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t k = 0; k < n; k++) {
		struct matrix_experiment x =
			evidence_bounds(in, &mixes[k], &values[k]);

		if (values[k].has_value && !is_possible(in, i, with[k], &x))
			x = evidence_within(in, &mixes[k], &values[k],
					    evidence_far_below);
		evidence_keep(in, &mixes[k], &values[k], x, false);
		in->undecided |= !values[k].has_value;
		/* A pair that only others contradict is left to the solver:
		 * it measures all of them again. */
		if (values[k].has_value && !note_pair(in, b, i, with[k], &x) &&
		    !is_possible(in, i, with[k], &x))
			is_bad[i][with[k]] = is_bad[with[k]][i] = true;
	}
	pairs_settle(b);
	return ERR_OK;
}

/* Drop the classes with the most pairs that no matrix explains. */
static void drop_bad(struct infer *in, bool (*is_bad)[PORTS_MAX_CLASSES])
{
	unsigned bad[PORTS_MAX_CLASSES] = { 0 };

	for (size_t i = 0; i < in->n_classes; i++)
		for (size_t j = 0; j < in->n_classes; j++)
			bad[i] += is_bad[i][j];
	for (;;) {
		size_t worst = evidence_worst(in, bad);

		if (bad[worst] == 0)
			return;
		evidence_exclude_class(in, worst);
		for (size_t i = 0; i < in->n_classes; i++) {
			bad[i] -= is_bad[worst][i];
			is_bad[worst][i] = is_bad[i][worst] = false;
		}
		bad[worst] = 0;
	}
}

/* Widest classes first: a class inside a wide one, or disjoint from it, settles
 * many other pairs. */
int evidence_pairs(struct infer *in)
{
	struct pair_bounds b = { .n = in->n_classes, .cap = in->cap };
	bool is_bad[PORTS_MAX_CLASSES][PORTS_MAX_CLASSES] = { { 0 } };

	for (size_t i = 0; i < in->n_classes; i++)
		b.size[i] = in->classes[i].size;
	pairs_start(&b);
	for (size_t i = 0; i < in->n_classes; i++)
		for (size_t j = 0; j < in->n_classes; j++) {
			const struct matrix_experiment *x =
				known_pair(in, i, j);

			if (x)
				(void)note_pair(in, &b, i, j, x);
		}
	pairs_settle(&b);
	for (unsigned size = in->cap; size > 0; size--)
		for (size_t i = 0; i < in->n_classes; i++)
			if (in->classes[i].size == size &&
			    measure_pairs(in, &b, i, is_bad) != ERR_OK)
				return in->e->code;
	drop_bad(in, is_bad);
	return ERR_OK;
}
