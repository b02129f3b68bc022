/* Mixes that show whether forms share a unit; see units.h. */
#include <math.h>

#include "host/ports/units.h"

enum { MAX_COUNT = 24 }; /* of one form in a mix that compares two */

double units_slots_of(const struct form_state *f)
{
	return f->slots > 0 ? f->slots : fmax(1, units_n_uops(f));
}

double units_least_slots(const struct form_state *f)
{
	return f->slots == 0 && f->multiple ? 2 : f->slots;
}

struct ports_mix units_compare_mix(const struct infer *in, uint32_t x,
				   uint32_t y)
{
	double tx = in->f[x].alone.cycles, ty = in->f[y].alone.cycles;
	double nx = fmin(fmax(round(ty / tx), 1), MAX_COUNT);
	double ny = fmin(fmax(round(tx / ty), 1), MAX_COUNT);
	struct ports_mix mix = { .n = 0 };

	infer_add(&mix, x, (uint32_t)nx);
	infer_add(&mix, y, (uint32_t)ny);
	return mix;
}

bool units_is_shared(const struct infer *in, const struct ports_mix *mix,
		     const struct ports_value *v)
{
	struct model_use uses[2 * PORTS_MAX_USES];
	double both = 0, separate = 0, slots = 0;
	size_t n = 0;

	for (size_t i = 0; i < mix->n; i++) {
		const struct form_state *f = &in->f[mix->part[i].form];
		double t = mix->part[i].count * f->alone.cycles;

		for (size_t k = 0; k < f->n_uses; k++) {
			uses[n] = f->uses[k];
			uses[n++].n_uops *= mix->part[i].count;
		}
		slots += mix->part[i].count * units_slots_of(f);
		both += t;
		separate = fmax(separate, t);
	}
	separate = fmax(separate, model_port_bound(uses, n, NULL));
	separate = fmax(separate, slots / in->width);
	return v->has_value && both > separate * 1.1 &&
	       v->cycles > sqrt(both * separate);
}

int units_measure_with(struct infer *in, uint32_t representative,
		       struct ports_mix *mixes, size_t n,
		       struct ports_value *values, bool *ret_known)
{
	enum { FEWEST = 4 };
	size_t n_values = 0;

	*ret_known = true;
	if (n == 0)
		return ERR_OK;
	mixes[n] = (struct ports_mix){ .n = 0 };
	infer_add(&mixes[n], representative, 1);
	if (infer_measure(in, PORTS_UNITS, mixes, n + 1, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++)
		n_values += values[i].has_value;
	*ret_known = n < FEWEST || 2 * n_values >= n || !values[n].has_value;
	return ERR_OK;
}
