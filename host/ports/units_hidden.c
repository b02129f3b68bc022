/* Units that no form keeps busy alone; see units.h.
 *
 * A form with fewer known uops than slots may have a uop on ports of which no
 * class consists.  Its own rate does not show them when its other ports are
 * as slow.  Two such forms with different known ports do: together they are
 * slower than these allow. */
#include <math.h>

#include "host/ports/units.h"

enum {
	TRIED = 24,        /* forms that are compared in pairs */
	MOST_IN_PAIR = 24, /* instances of one form */
};

/* A rate this close to a whole number is one, relative. */
static const double min_slowdown = 0.05;

/* As many ports as the form starts per cycle. */
static bool has_whole_rate(const struct form_state *f)
{
	double rate = 1 / f->alone.cycles;

	return round(rate) >= 1 && fabs(rate / round(rate) - 1) <= min_slowdown;
}

/* The forms to compare: one of each list of known ports. */
static size_t list_tried(const struct infer *in, uint32_t *ret)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms && n < TRIED; i++) {
		const struct form_state *f = &in->f[i];
		bool known = !units_has_free_slot(in, i) || f->n_uses == 0 ||
			     !has_whole_rate(f);

		for (size_t k = 0; k < n && !known; k++)
			known = in->f[ret[k]].alone.cycles <
					f->alone.cycles * 1.1 &&
				infer_have_equal_uses(&in->f[ret[k]], f);
		if (!known)
			ret[n++] = i;
	}
	return n;
}

/* A mix in which all instances of x alone take about as long as all of y. */
static struct ports_mix pair_of(const struct infer *in, uint32_t x, uint32_t y)
{
	double tx = in->f[x].alone.cycles, ty = in->f[y].alone.cycles;
	double nx = fmin(fmax(round(ty / tx), 1), MOST_IN_PAIR);
	double ny = fmin(fmax(round(tx / ty), 1), MOST_IN_PAIR);
	struct ports_mix mix = { .n = 0 };

	if (!infer_may_mix(in, x, y))
		return mix;
	infer_add(&mix, x, (uint32_t)nx);
	infer_add(&mix, y, (uint32_t)ny);
	return mix;
}

/* Is the pair closer to one after the other than to the time that known ports
 * and slots allow? */
static bool is_shared(const struct infer *in, const struct ports_mix *mix,
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
		slots += mix->part[i].count *
			 fmax(units_least_slots(f), units_n_uops(f));
		both += t;
		separate = fmax(separate, t);
	}
	separate = fmax(separate, model_port_bound(uses, n, NULL));
	separate = fmax(separate, slots / in->width);
	return v->has_value && both > separate * 1.1 &&
	       v->cycles > sqrt(both * separate);
}

/* Of the first form of the list and those behind it that share a unit with it,
 * the fastest, whose rate is closest to the number of the ports; PORTS_NONE:
 * none does. */
static int find_pair(struct infer *in, const uint32_t *list, size_t n,
		     int32_t *ret)
{
	struct ports_mix mixes[TRIED] = { { .n = 0 } };
	struct ports_value values[TRIED];
	size_t n_mixes = 0;

	*ret = PORTS_NONE;
	for (size_t k = 1; k < n; k++) {
		mixes[n_mixes] = pair_of(in, list[0], list[k]);
		n_mixes += mixes[n_mixes].n > 0;
	}
	if (infer_measure(in, PORTS_UNITS, mixes, n_mixes, values) != ERR_OK)
		return in->e->code;
	for (size_t k = 0; k < n_mixes; k++) {
		uint32_t other = mixes[k].part[1].form;

		if (!is_shared(in, &mixes[k], &values[k]))
			continue;
		if (*ret == PORTS_NONE)
			*ret = (int32_t)list[0];
		if (in->f[other].alone.cycles < in->f[*ret].alone.cycles)
			*ret = (int32_t)other;
	}
	return ERR_OK;
}

int infer_hidden_units(struct infer *in)
{
	uint32_t tried[TRIED];
	size_t n = list_tried(in, tried);

	for (size_t i = 0; i + 1 < n && in->units->n < UNITS_MAX; i++) {
		int32_t form;

		if (!units_has_free_slot(in, tried[i]))
			continue;
		if (find_pair(in, tried + i, n - i, &form) != ERR_OK ||
		    (form != PORTS_NONE &&
		     units_add(in, (uint32_t)form, true, NULL, 0) != ERR_OK))
			return in->e->code;
	}
	return ERR_OK;
}
