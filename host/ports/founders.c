/* Who of several forms of a class stands for it.
 *
 * A flood that nearly fills the front end leaves no room for anything but
 * ports to be short of: registers that can be read in a cycle, bytes that can
 * be decoded.  Four CMP32rr a cycle leave a load none to read on an Ice Lake,
 * and a load, which uses no port of theirs, takes two thirds of a cycle of such
 * a flood; of CMP32ri8 it takes nothing.  What disturbs a mix makes it slower,
 * so of forms that use the same ports the one counts beside which others take
 * least. */
#include <math.h>

#include "host/ports/infer.h"

enum {
	SAMPLE = 8,      /* others, with an access to memory and without */
	FLOOD = 4,       /* cycles */
	MOST_TRIED = 16, /* candidates */
};

/* Times this close are the same. */
static const double same = 0.03;
/* Of the others: what takes longer hides what it does to the flood. */
static const double longest = 1.1;

/* Every so many of the forms with or without an access to memory one. */
static size_t sample(const struct infer *in, bool memory, uint32_t *ret)
{
	size_t all = 0, seen = 0, n = 0;

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < in->q->n_forms; i++) {
			const struct form_state *f = &in->f[i];

			if (in->q->forms[i].memory != memory ||
			    in->q->forms[i].n_breakers > 0 || f->wide ||
			    !f->alone.has_value || f->alone.cycles > longest)
				continue;
			if (pass == 0)
				all++;
			else if (n < SAMPLE &&
				 seen++ % ((all + SAMPLE - 1) / SAMPLE) == 0)
				ret[n++] = i;
		}
	return n;
}

/* What the k-th of the others takes of each flood more than of the fastest,
 * if it is known of all. */
static void add_more(const struct ports_value *values, size_t n,
		     size_t n_others, size_t k, double *more)
{
	double least = HUGE_VAL;

	for (size_t i = 0; i < n; i++) {
		const struct ports_value *v = &values[i * n_others + k];

		least = fmin(least, v->has_value ? v->cycles : 0);
	}
	for (size_t i = 0; least > 0 && i < n; i++)
		more[i] += fmax(0, values[i * n_others + k].cycles / least - 1 -
					   same);
}

int infer_lightest(struct infer *in, const uint32_t *forms, size_t n,
		   unsigned size, size_t *ret)
{
	uint32_t others[2 * SAMPLE];
	size_t n_others = sample(in, true, others);
	struct ports_mix mixes[MOST_TRIED * 2 * SAMPLE] = { 0 };
	struct ports_value values[MOST_TRIED * 2 * SAMPLE];
	double more[MOST_TRIED] = { 0 };

	n_others += sample(in, false, others + n_others);
	*ret = 0;
	n = n < MOST_TRIED ? n : MOST_TRIED;
	for (size_t i = 0; i < n * n_others; i++) {
		infer_add(&mixes[i], forms[i / n_others], FLOOD * size);
		infer_add(&mixes[i], others[i % n_others], 1);
	}
	if (infer_measure(in, PORTS_MERGE, mixes, n * n_others, values) !=
	    ERR_OK)
		return in->e->code;
	for (size_t k = 0; k < n_others; k++)
		add_more(values, n, n_others, k, more);
	for (size_t i = 1; i < n; i++)
		if (more[i] < more[0] - same && more[i] < more[*ret])
			*ret = i;
	return ERR_OK;
}
