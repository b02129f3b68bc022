/* Evidence of common ports: is a representative unlike its class?
 *
 * The time of a mix of classes does not depend on which members stand for
 * them.  If it is shorter with another member, the representative waits for
 * something that is no port: a register read port, the decoder, or ports of a
 * second uop that nothing else showed.  The other member then takes its place,
 * all evidence of the class is measured again, and the old representative is
 * left to the saturation kernels. */
#include "host/ports/evidence.h"

#include <math.h>

enum { TRIED = 3 }; /* other members of each class, evenly spread */

/* Shorter by at least this much, relative. */
static const double shorter = 0.05;

struct substitute {
	size_t class_id;
	uint32_t form;
};

/* Members that may take the place of a part of the mix. */
static size_t others_of(const struct infer *in, const struct ports_mix *mix,
			size_t part, uint32_t *ret)
{
	uint32_t form = mix->part[part].form;
	size_t all = 0, seen = 0, n = 0;

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < in->q->n_forms; i++) {
			bool fits = i != form &&
				    in->f[i].class_id == in->f[form].class_id;

			for (size_t k = 0; k < mix->n && fits; k++)
				fits = k == part ||
				       infer_may_mix(in, mix->part[k].form, i);
			if (!fits || !infer_may_represent(in, i))
				continue;
			if (pass == 0)
				all++;
			else if (seen++ % ((all + TRIED - 1) / TRIED) == 0)
				ret[n++] = i;
		}
	return n;
}

static bool is_shorter(const struct ports_value *x, const struct ports_value *y)
{
	double least = fmax(shorter, infer_tolerance(x) + infer_tolerance(y));

	return x->has_value && y->has_value &&
	       x->cycles < y->cycles * (1 - least);
}

/* Find the member with which the mix is shortest, if it is shorter twice. */
static int find_substitute(struct infer *in, const struct mix_evidence *e,
			   struct substitute *ret, bool *ret_found)
{
	struct ports_mix mixes[PORTS_MAX_PARTS * TRIED] = { 0 };
	struct ports_value values[PORTS_MAX_PARTS * TRIED] = { 0 }, again;
	struct substitute list[PORTS_MAX_PARTS * TRIED];
	size_t n = 0, best = 0;

	*ret_found = false;
	for (size_t k = 0; k < e->mix.n; k++) {
		uint32_t others[TRIED];
		size_t n_others = others_of(in, &e->mix, k, others);

		for (size_t i = 0; i < n_others; i++) {
			int32_t c = in->f[others[i]].class_id;

			mixes[n] = e->mix;
			mixes[n].part[k].form = others[i];
			list[n++] = (struct substitute){ (size_t)c, others[i] };
		}
	}
	if (infer_measure(in, PORTS_MATRIX, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 1; i < n; i++)
		if (values[i].has_value &&
		    (!values[best].has_value ||
		     values[i].cycles < values[best].cycles))
			best = i;
	if (n == 0 || !is_shorter(&values[best], &e->value))
		return ERR_OK;
	if (infer_measure(in, PORTS_MATRIX, &mixes[best], 1, &again) != ERR_OK)
		return in->e->code;
	*ret_found = is_shorter(&again, &e->value);
	*ret = list[best];
	return ERR_OK;
}

/* The evidence of the class, measured with its new representative. */
static int measure_again(struct infer *in, uint32_t old, uint32_t form)
{
	size_t n = in->evidence.n / sizeof(struct mix_evidence);

	for (size_t i = 0; i < n; i++) {
		struct mix_evidence *e = (void *)in->evidence.bytes;
		struct matrix_experiment *x = (void *)in->experiments.bytes;
		bool *dropped = (void *)in->dropped.bytes, has = false;

		for (size_t k = 0; k < e[i].mix.n; k++)
			if (e[i].mix.part[k].form == old) {
				e[i].mix.part[k].form = form;
				has = true;
			}
		if (!has || dropped[i])
			continue;
		if (infer_measure(in, PORTS_MATRIX, &e[i].mix, 1,
				  &e[i].value) != ERR_OK)
			return in->e->code;
		dropped[i] = !e[i].value.has_value;
		in->undecided |= dropped[i];
		x[i] = evidence_bounds(in, &e[i].mix, &e[i].value);
	}
	return ERR_OK;
}

static int replace(struct infer *in, const struct substitute *by)
{
	uint32_t old = in->classes[by->class_id].form;

	in->n_replaced++;
	in->replaced = old;
	in->classes[by->class_id].form = by->form;
	in->f[old].class_id = PORTS_NONE;
	return measure_again(in, old, by->form);
}

int evidence_substitute(struct infer *in, const bool *core, bool *ret_replaced)
{
	size_t n = in->evidence.n / sizeof(struct mix_evidence);

	*ret_replaced = false;
	for (size_t i = 0; i < n && !*ret_replaced; i++) {
		const struct mix_evidence *e = (const void *)in->evidence.bytes;
		struct substitute by;

		if (!core[i])
			continue;
		if (find_substitute(in, &e[i], &by, ret_replaced) != ERR_OK ||
		    (*ret_replaced && replace(in, &by) != ERR_OK))
			return in->e->code;
	}
	return ERR_OK;
}

/* Is the pair slower than classes without a common port? */
static bool is_shared(const struct infer *in, const struct mix_evidence *e)
{
	double apart = infer_instances(&e->mix) / in->width;

	if (e->mix.n != 2 || !e->value.has_value)
		return false;
	if (in->filler == PORTS_NONE)
		apart *= 1 + infer_uneven;
	for (size_t k = 0; k < e->mix.n; k++) {
		int32_t c = in->f[e->mix.part[k].form].class_id;

		apart = fmax(apart, (double)e->mix.part[k].count /
					    in->classes[c].size);
	}
	return e->value.cycles > apart * (1 + shorter);
}

int evidence_confirm_pairs(struct infer *in)
{
	bool replaced = true;

	for (size_t i = 0; i < in->n_classes && replaced; i++) {
		const struct mix_evidence *e = (const void *)in->evidence.bytes;
		const bool *dropped = (const void *)in->dropped.bytes;
		size_t n = in->evidence.n / sizeof(*e);
		bool *shared = ARENA_ARRAY(in->a, bool, n + 1);

		for (size_t k = 0; k < n; k++)
			shared[k] = !dropped[k] && is_shared(in, &e[k]);
		if (evidence_substitute(in, shared, &replaced) != ERR_OK)
			return in->e->code;
	}
	return ERR_OK;
}
