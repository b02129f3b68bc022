/* Classes: forms of one uop that use the same ports.
 *
 * A form of one slot whose rate is a whole number k below the width has k
 * ports, and two of the same k share them just when both together are no
 * faster. */
#include <math.h>
#include <stdlib.h>

#include "host/ports/infer.h"

/* A rate this close to a whole number is it, ... */
static const double close = 0.03;
/* ... and no wider than this where the clock is noisy. */
static const double widest = 0.06;

static unsigned ports_of_rate(const struct infer *in,
			      const struct form_state *f)
{
	double rate = 1 / f->alone.cycles, whole = round(rate);
	double limit = fmin(widest, fmax(close, infer_tolerance(&f->alone)));

	if (whole < 1 || whole >= in->cap || fabs(rate / whole - 1) > limit)
		return 0;
	return (unsigned)whole;
}

struct candidate {
	uint32_t form;
	unsigned size;
	uint8_t rank;
};

static int compare(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->form > y->form) - (x->form < y->form);
}

static size_t find_candidates(struct infer *in, struct candidate *list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (!f->alone.has_value || f->wide)
			continue;
		/* Without a filler one slot is assumed; what is not true of
		 * it will contradict the rest. */
		if (f->slots != 1 && in->filler != PORTS_NONE)
			continue;
		f->size = ports_of_rate(in, f);
		if (f->size > 0)
			list[n++] = (struct candidate){
				.form = i,
				.size = f->size,
				.rank = in->q->forms[i].rank,
			};
	}
	qsort(list, n, sizeof(*list), compare);
	return n;
}

static void join(struct infer *in, uint32_t form, int32_t class_id)
{
	in->f[form].class_id = class_id;
}

/* The first candidate of each size without a class founds one.  Returns how
 * many did; mixes: every other candidate of those sizes with its founder. */
static size_t found(struct infer *in, const struct candidate *list, size_t n,
		    struct ports_mix *mixes)
{
	size_t n_mixes = 0;
	int32_t founder = PORTS_NONE;

	for (size_t i = 0; i < n; i++) {
		uint32_t form = list[i].form;

		if (i > 0 && list[i].size != list[i - 1].size)
			founder = PORTS_NONE;
		if (in->f[form].class_id != PORTS_NONE)
			continue;
		if (founder == PORTS_NONE) {
			if (in->n_classes == PORTS_MAX_CLASSES)
				continue;
			founder = (int32_t)in->n_classes++;
			in->classes[founder].form = form;
			in->classes[founder].size = list[i].size;
			join(in, form, founder);
			continue;
		}
		mixes[n_mixes] = (struct ports_mix){ .n = 0 };
		infer_add(&mixes[n_mixes], form, 1);
		infer_add(&mixes[n_mixes++], in->classes[founder].form, 1);
	}
	return n_mixes;
}

/* Together as slow as one after the other: a union of k ports, and clearly not
 * of k + 1.  What lies between is neither, and no single uop. */
static bool is_same(unsigned size, const struct ports_value *v)
{
	double least = 1 - 0.45 / (size + 1);

	return v->has_value && v->cycles * size > 2 * least;
}

static int merge(struct infer *in, const struct candidate *list, size_t n)
{
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);

	for (;;) {
		size_t before = in->n_classes;
		size_t n_mixes = found(in, list, n, mixes);

		if (in->n_classes == before)
			return ERR_OK;
		if (infer_measure(in, PORTS_MERGE, mixes, n_mixes, values) !=
		    ERR_OK)
			return in->e->code;
		for (size_t i = 0; i < n_mixes; i++) {
			uint32_t form = mixes[i].part[0].form;

			if (is_same(in->f[form].size, &values[i]))
				join(in, form,
				     in->f[mixes[i].part[1].form].class_id);
		}
	}
}

int infer_classes(struct infer *in)
{
	struct candidate *list =
		ARENA_ARRAY(in->a, struct candidate, in->q->n_forms);

	return merge(in, list, find_candidates(in, list));
}
