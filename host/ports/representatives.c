/* Choose each class's representative.
 *
 * A saturation kernel that nearly fills the front end must not compete for
 * anything but ports, such as register read ports or decoder bandwidth.
 * Example: four CMP32rr per cycle leave no register read port for a load on an
 * Ice Lake. A load shares no port with them, but it costs two thirds of a cycle
 * of such a kernel; with CMP32ri8 it costs nothing. Interference makes a mix
 * slower, so the representative is the form with which other forms cost the
 * least. */
#include <math.h>

#include "host/ports/infer.h"

enum {
	SAMPLE = 8,     /* other forms, with and without a memory access each */
	SATURATING = 4, /* cycles of a kernel */
	MOST_TRIED = 16, /* candidates */
};

/* Limit for the other forms: longer ones hide their effect on the kernel. */
static const double longest = 1.1;

/* Choose forms with or without a memory access, evenly spread. */
static size_t representatives_sample(const struct infer *in, bool memory,
				     uint32_t *ret)
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

/* Add what the k-th other form costs each kernel beyond the cheapest one.
 * Ignores forms without a value for all kernels. */
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
					   infer_equal_times);
}

int infer_representative(struct infer *in, const uint32_t *forms, size_t n,
			 unsigned size, size_t *ret)
{
	uint32_t others[2 * SAMPLE];
	size_t n_others = representatives_sample(in, true, others);
	struct ports_mix mixes[MOST_TRIED * 2 * SAMPLE] = { 0 };
	struct ports_value values[MOST_TRIED * 2 * SAMPLE];
	double more[MOST_TRIED] = { 0 };

	n_others += representatives_sample(in, false, others + n_others);
	*ret = 0;
	n = n < MOST_TRIED ? n : MOST_TRIED;
	for (size_t i = 0; i < n * n_others; i++) {
		infer_add(&mixes[i], forms[i / n_others], SATURATING * size);
		infer_add(&mixes[i], others[i % n_others], 1);
	}
	if (infer_measure(in, PORTS_MERGE, mixes, n * n_others, values) !=
	    ERR_OK)
		return in->e->code;
	for (size_t k = 0; k < n_others; k++)
		add_more(values, n, n_others, k, more);
	for (size_t i = 1; i < n; i++)
		if (more[i] < more[0] - infer_equal_times &&
		    more[i] < more[*ret])
			*ret = i;
	return ERR_OK;
}
