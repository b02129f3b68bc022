/* Ports that no form uses alone; see units.h.
 *
 * A form with fewer known uops than slots may have a uop on ports of which no
 * class consists.  Its own rate does not show them when its other ports are
 * as slow.  Two such forms with different known ports do: together they are
 * slower than these allow. */
#include <math.h>

#include "host/ports/units.h"

enum {
	TRIED = 24,      /* forms that are compared with all others */
	LONGER = 3,      /* a kernel lasts so many times the form's own time */
	MOST_COUNT = 96, /* instances in it */
};

/* Distance of a number of uops from a whole number, at most. */
static const double whole = 0.3;

static bool has_free_slot(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];

	return infer_in_batch(in, form) && f->verdict == PORTS_OK && !f->wide &&
	       f->alone.has_value && !f->lost && f->n_uses > 0 &&
	       f->n_uses < PORTS_MAX_USES &&
	       units_n_uops(f) + 1 <= units_least_slots(f);
}

/* As many ports as the form starts per cycle. */
static bool has_whole_rate(const struct form_state *f)
{
	double rate = 1 / f->alone.cycles;

	return round(rate) >= 1 && fabs(rate / round(rate) - 1) <= 0.05;
}

static bool have_equal_ports(const struct form_state *f,
			     const struct form_state *g)
{
	if (f->n_uses != g->n_uses)
		return false;
	for (size_t i = 0; i < f->n_uses; i++)
		if (f->uses[i].ports != g->uses[i].ports ||
		    f->uses[i].n_uops != g->uses[i].n_uops)
			return false;
	return true;
}

/* The forms to compare: one of each list of known ports. */
static size_t list_tried(const struct infer *in, uint32_t *ret)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms && n < TRIED; i++) {
		bool known = false;

		if (!has_free_slot(in, i) || !has_whole_rate(&in->f[i]))
			continue;
		for (size_t k = 0; k < n && !known; k++)
			known = in->f[ret[k]].alone.cycles <
					in->f[i].alone.cycles * 1.1 &&
				have_equal_ports(&in->f[ret[k]], &in->f[i]);
		if (!known)
			ret[n++] = i;
	}
	return n;
}

/* A representative of the ports that forms `x` and `y` share: the faster one,
 * whose rate is closer to the number of the ports. */
static void found_unit(const struct infer *in, struct units *units, uint32_t x,
		       uint32_t y)
{
	uint32_t form = in->f[x].alone.cycles <= in->f[y].alone.cycles ? x : y;

	units->list[units->n++] =
		(struct unit){ .representative = form,
			       .cycles = in->f[form].alone.cycles,
			       .hidden = true,
			       .measured = true };
}

int units_found_hidden(struct infer *in, struct units *units)
{
	uint32_t tried[TRIED];
	size_t n = list_tried(in, tried);
	bool shares[TRIED] = { false };
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);

	for (size_t i = 0; i < n && units->n < UNITS_MAX; i++) {
		size_t n_mixes = 0, other = n;

		if (shares[i])
			continue;
		for (size_t k = i + 1; k < n; k++)
			mixes[n_mixes++] =
				units_compare_mix(in, tried[i], tried[k]);
		if (infer_measure(in, PORTS_UNITS, mixes, n_mixes, values) !=
		    ERR_OK)
			return in->e->code;
		for (size_t k = i + 1; k < n; k++)
			if (!shares[k] && units_is_shared(in, &mixes[k - i - 1],
							  &values[k - i - 1])) {
				shares[k] = true;
				other = k;
			}
		if (other < n)
			found_unit(in, units, tried[i], tried[other]);
	}
	return ERR_OK;
}

/* A kernel that saturates the unit with its representative, and the form. */
static struct ports_mix hidden_kernel(const struct infer *in,
				      const struct unit *u, uint32_t form)
{
	struct ports_mix mix = { .n = 0 };
	double n = ceil(LONGER * in->f[form].alone.cycles / u->cycles) +
		   2 * u->n_ports;

	if (n > MOST_COUNT)
		return mix;
	infer_add(&mix, u->representative, (uint32_t)n);
	infer_add(&mix, form, 1);
	return mix;
}

/* Do the known ports of both explain more than the saturated unit does?  Then
 * the kernel tells nothing. */
static bool hides(const struct infer *in, const struct ports_mix *mix,
		  double base)
{
	struct model_use uses[2 * PORTS_MAX_USES];
	double slots = 0;
	size_t n = 0;

	for (size_t i = 0; i < mix->n; i++) {
		const struct form_state *f = &in->f[mix->part[i].form];

		for (size_t k = 0; k < f->n_uses; k++) {
			uses[n] = f->uses[k];
			uses[n++].n_uops *= mix->part[i].count;
		}
		slots += mix->part[i].count * units_least_slots(f);
	}
	return fmax(model_port_bound(uses, n, NULL), slots / in->width) >
	       base * 1.01;
}

static void take_hidden(struct infer *in, const struct unit *u,
			const struct ports_mix *mix,
			const struct ports_value *v)
{
	struct form_state *f = &in->f[mix->part[1].form];
	double base = mix->part[0].count * u->cycles;
	double uops = (v->cycles - base) * u->n_ports;
	double room = units_least_slots(f) - units_n_uops(f);

	if (!v->has_value) {
		f->lost = true;
		return;
	}
	if (uops < whole)
		return;
	if (fabs(uops - round(uops)) > whole || round(uops) > room) {
		f->verdict = PORTS_OPEN;
		return;
	}
	infer_add_use(f, u->ports, round(uops), 1);
	f->how = arena_printf(in->a, "%s, and on ports that no form uses alone",
			      f->how);
}

/* Find the uops of all forms with free slots on one unit. */
static int saturate_hidden(struct infer *in, const struct unit *u)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, in->q->n_forms + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, in->q->n_forms + 1);
	struct form_state *own = &in->f[u->representative];
	size_t n = 0;
	bool known;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		struct ports_mix mix;

		if (i == u->representative || !has_free_slot(in, i) ||
		    !infer_may_mix(in, u->representative, i))
			continue;
		mix = hidden_kernel(in, u, i);
		if (mix.n > 0 &&
		    !hides(in, &mix, mix.part[0].count * u->cycles))
			mixes[n++] = mix;
	}
	if (units_measure_with(in, u->representative, mixes, n, values,
			       &known) != ERR_OK)
		return in->e->code;
	if (!known)
		return ERR_OK;
	for (size_t i = 0; i < n; i++)
		take_hidden(in, u, &mixes[i], &values[i]);
	if (has_free_slot(in, u->representative))
		infer_add_use(own, u->ports, 1, 1);
	return ERR_OK;
}

int units_use_hidden(struct infer *in, const struct units *units)
{
	for (size_t i = 0; i < units->n; i++)
		if (units->list[i].hidden &&
		    saturate_hidden(in, &units->list[i]) != ERR_OK)
			return in->e->code;
	return ERR_OK;
}
