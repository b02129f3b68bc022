/* Forms of more than one slot, where the front end has no constant width.
 *
 * A mix of k fillers and a form of s slots takes (k + s) / W cycles and a share
 * more, which differs from mix to mix.  The shortest of several mixes, with
 * other fillers and other k, is close to the least.  A form that takes almost
 * two slots in all of them is no single uop, so it belongs to no class.  */
#include <math.h>

#include "host/ports/infer.h"

enum {
	FILLERS = 3,
	ROUNDS = 3,        /* numbers of fillers for each */
	MOST_FILLERS = 24, /* in a mix */
	/* If more than one of so many forms seems to take more slots, the width
	 * is not what these mixes reach, and nothing follows. */
	MOST_SHARE = 2,
};

/* What almost every mix of a few takes more than its slots, relative; and
 * tolerance in slots. */
static const double usual = 0.06, some_slots = 0.3;

/* Forms as fast as the front end, but not faster than any mix: the share of a
 * slot that a faster one takes is not known. */
static size_t find_fillers(const struct infer *in, uint32_t *ret)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms && n < FILLERS; i++)
		if (in->f[i].wide && in->q->forms[i].n_breakers == 0 &&
		    in->f[i].alone.cycles * in->width > 1 - infer_equal_rates)
			ret[n++] = i;
	return n;
}

/* Fillers with which the front end is the limit. */
static uint32_t n_fillers(const struct infer *in, uint32_t form, unsigned round)
{
	double n = ceil(1.25 * in->width * in->f[form].alone.cycles);

	return n > MOST_FILLERS ? 0 : (uint32_t)n + round;
}

/* Measure the forms with k of the filler; those of which the mix shows a single
 * slot leave the list. */
static int sift(struct infer *in, uint32_t filler, unsigned round,
		uint32_t *forms, size_t *n_forms)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, *n_forms + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, *n_forms + 1);
	size_t left = 0;

	for (size_t i = 0; i < *n_forms; i++) {
		infer_add(&mixes[i], forms[i], 1);
		infer_add(&mixes[i], filler, n_fillers(in, forms[i], round));
	}
	if (infer_measure(in, PORTS_SLOTS, mixes, *n_forms, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < *n_forms; i++) {
		struct form_state *f = &in->f[forms[i]];
		double k = mixes[i].part[1].count;
		double all = values[i].cycles * in->width, slots = all - k;

		if (!values[i].has_value)
			continue;
		/* Each filler takes a slot at least. */
		slots += all * infer_tolerance(&values[i]);
		f->slots_most = fmin(f->slots_most, fmax(1, slots));
		if (all - k > 1 + some_slots + usual * (k + 1))
			forms[left++] = forms[i];
	}
	*n_forms = left;
	return ERR_OK;
}

int infer_least_slots(struct infer *in)
{
	uint32_t *forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms);
	uint32_t fillers[FILLERS];
	size_t n_fill = find_fillers(in, fillers), n = 0, all;

	if (in->filler != PORTS_NONE || in->cap <= PORTS_NARROW_WIDTH ||
	    n_fill < FILLERS)
		return ERR_OK;
	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (infer_in_batch(in, i) && in->f[i].alone.has_value &&
		    !in->f[i].wide && n_fillers(in, i, 0) > 0)
			forms[n++] = i;
	all = n;
	for (unsigned round = 0; round < ROUNDS; round++)
		for (size_t k = 0; k < n_fill && n > 0; k++)
			if (sift(in, fillers[k], round, forms, &n) != ERR_OK)
				return in->e->code;
	for (size_t i = 0; i < n && MOST_SHARE * n <= all; i++)
		in->f[forms[i]].multiple = true;
	return ERR_OK;
}
