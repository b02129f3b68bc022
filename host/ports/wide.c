/* Forms as fast as the front end: do they use ports?
 *
 * Their own rate and saturation kernels do not show it.  But a uop that holds a
 * port for a cycle or more leaves room in the front end: a form on the same
 * ports slows it down, a form without ports does not.  One that does has ports
 * that no kernel identifies, so its claim is `open`; so are the claims of all
 * forms on the slow uop's unit if that is a pseudo port, or one port for one
 * cycle: the uop may hold others, too. */
#include <math.h>

#include "host/ports/units.h"

enum {
	TRIED = 16, /* sets of ports that uops hold */
	SLOW = 2,   /* cycles */
	OTHERS = 3, /* forms of earlier batches, to compare with */
};

/* Cycles of a form that takes one. */
static const double about_one = 0.95;

/* Share of the front end that the mix takes, so that it is not the limit. */
static const double front_share = 0.7;
/* The mix is slower than the slow form alone by at least this much. */
static const double slower = 1.15;

/* Where slots are unknown, a uop that holds a port for k cycles cannot be told
 * from k uops. */
static double held_cycles(const struct form_state *f,
			  const struct model_use *use)
{
	return f->slots > 0 ? use->cycles : use->n_uops * use->cycles;
}

/* The use that holds its ports for the longest time; NULL: none holds one for
 * SLOW cycles, or, with a front end of constant width, for one. */
static const struct model_use *longest_use(const struct infer *in,
					   const struct form_state *f)
{
	const struct model_use *ret = NULL;

	for (size_t i = 0; i < f->n_uses; i++)
		if (!ret || held_cycles(f, &f->uses[i]) > held_cycles(f, ret))
			ret = &f->uses[i];
	if (!ret || (f->alone.cycles >= SLOW && held_cycles(f, ret) > 1) ||
	    (in->filler != PORTS_NONE && f->alone.cycles >= about_one &&
	     (held_cycles(f, ret) > 1 || model_ports_count(ret->ports) == 1)))
		return ret;
	return NULL;
}

static bool is_slow(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];

	return f->verdict == PORTS_OK && f->alone.has_value && !f->wide &&
	       !f->multiple && longest_use(in, f) != NULL;
}

/* One form for each set of ports that uops hold. */
static size_t list_slow(const struct infer *in, uint32_t *ret)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms && n < TRIED; i++) {
		bool known = !is_slow(in, i);

		for (size_t k = 0; k < n && !known; k++)
			known = longest_use(in, &in->f[ret[k]])->ports ==
				longest_use(in, &in->f[i])->ports;
		if (!known)
			ret[n++] = i;
	}
	return n;
}

static bool is_pseudo(const struct infer *in, const struct model_use *use)
{
	const struct model_port *ports =
		(const struct model_port *)in->ports.bytes;

	for (size_t p = 0; p < in->ports.n / sizeof(*ports); p++)
		if ((use->ports >> p & 1) && ports[p].pseudo)
			return true;
	return false;
}

/* All forms on the unit of this one. */
static void open_unit(struct infer *in, uint32_t form, const char *name)
{
	model_ports unit = longest_use(in, &in->f[form])->ports;

	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		for (size_t k = 0; k < f->n_uses; k++) {
			if (f->verdict != PORTS_OK || f->uses[k].ports != unit)
				continue;
			f->verdict = PORTS_OPEN;
			f->how = arena_printf(in->a,
					      "%s; its unit is on ports that "
					      "the front end hides (%s)",
					      f->how, name);
		}
	}
}

static bool is_slower(const struct ports_value *v, double alone)
{
	return v->has_value && v->cycles > alone * slower;
}

static int try_with(struct infer *in, uint32_t slow)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, in->q->n_forms);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, in->q->n_forms);
	const struct model_use *longest = longest_use(in, &in->f[slow]);
	double alone = in->f[slow].alone.cycles;
	double more_slots = fmax(1, in->f[slow].slots) - 1;
	double k = fmin(floor(front_share * in->width * alone) - more_slots,
			PORTS_MAX_COUNT);
	bool hidden = in->f[slow].slots == 0;
	size_t n = 0, n_others = 0;

	if (k < 1)
		return ERR_OK;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		if (!in->f[i].wide || in->f[i].verdict != PORTS_OK ||
		    (!infer_in_batch(in, i) && n_others++ >= OTHERS))
			continue;
		infer_add(&mixes[n], slow, 1);
		infer_add(&mixes[n++], i, (uint32_t)k);
	}
	if (infer_measure(in, PORTS_UNITS, mixes, n, values) != ERR_OK)
		return in->e->code;
	/* If all forms slow it down, a slot for each of its uops may do so. */
	for (size_t i = 0; i < n; i++)
		hidden &= is_slower(&values[i], alone) &&
			  values[i].cycles <= (units_n_uops(&in->f[slow]) + k) /
						      in->width *
						      (1 + infer_uneven);
	for (size_t i = 0; i < n; i++) {
		struct form_state *f = &in->f[mixes[i].part[1].form];

		if (!is_slower(&values[i], alone) || hidden)
			continue;
		f->verdict = PORTS_OPEN;
		f->how = arena_printf(in->a,
				      "as fast as the front end, and on ports "
				      "of %s",
				      in->q->forms[slow].name);
		if (is_pseudo(in, longest) ||
		    held_cycles(&in->f[slow], longest) <= 1)
			open_unit(in, slow,
				  in->q->forms[mixes[i].part[1].form].name);
	}
	return ERR_OK;
}

int infer_wide(struct infer *in)
{
	uint32_t slow[TRIED];
	size_t n = list_slow(in, slow);

	for (size_t i = 0; i < n; i++)
		if (try_with(in, slow[i]) != ERR_OK)
			return in->e->code;
	return ERR_OK;
}
