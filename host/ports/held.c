/* Uops that hold their ports for several cycles, and overlaps that the front
 * end hides.
 *
 * If two classes have together at least as many ports as the front end starts
 * uops per cycle, their mix takes the same time with and without common ports.
 * A uop that holds a port for several cycles leaves room in the front end, so
 * with the representative of a class the overlap shows.  A form with such a uop
 * that is slower than its ports say has others: its claim is `open`. */
#include <math.h>

#include "host/ports/units.h"

enum {
	TRIED = 12, /* sets of ports that uops hold */
	LEAST = 2,  /* cycles */
};

/* Largest share of the front end that the mix takes. */
static const double front_share = 0.8;
/* Least ratio of measured to expected time; real schedulers stay below it. */
static const double slower = 1.12;

/* The use with the most port cycles (uops times cycles), if it has LEAST or
 * more; NULL: none. */
static const struct model_use *held_use(const struct form_state *f)
{
	const struct model_use *ret = NULL;

	for (size_t i = 0; i < f->n_uses; i++)
		if (!ret || f->uses[i].n_uops * f->uses[i].cycles >
				    ret->n_uops * ret->cycles)
			ret = &f->uses[i];
	return ret && ret->n_uops * ret->cycles >= LEAST ? ret : NULL;
}

/* Most instances of another form that leave the mix within front_share. */
static double n_instances(const struct infer *in, const struct form_state *f)
{
	return floor(front_share * in->width * f->alone.cycles) -
	       fmax(1, units_least_slots(f));
}

static bool is_candidate(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];

	return infer_in_batch(in, form) && f->verdict == PORTS_OK &&
	       f->alone.has_value && !f->wide && f->class_id == PORTS_NONE &&
	       in->q->forms[form].n_breakers == 0 && held_use(f) != NULL &&
	       n_instances(in, f) >= 1;
}

/* For each set of ports the slowest form; in no order. */
static size_t list_held(const struct infer *in, uint32_t *ret)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		size_t k = 0;

		if (!is_candidate(in, i))
			continue;
		while (k < n && held_use(&in->f[ret[k]])->ports !=
					held_use(&in->f[i])->ports)
			k++;
		if (k == TRIED)
			continue;
		if (k == n)
			ret[n++] = i;
		else if (in->f[i].alone.cycles > in->f[ret[k]].alone.cycles)
			ret[k] = i;
	}
	return n;
}

/* Does the front end hide whether the class has ports of this set? */
static bool is_hidden(const struct infer *in, size_t c, model_ports set)
{
	model_ports row = in->classes[c].out ? 0 : in->solution.row[c];

	return row != 0 && (row & set) != set &&
	       model_ports_count(row | set) >= in->cap;
}

static double expected(const struct infer *in, const struct ports_mix *mix)
{
	struct model_use uses[PORTS_MAX_USES + 1];
	const struct form_state *f = &in->f[mix->part[0].form];
	int32_t c = in->f[mix->part[1].form].class_id;
	size_t n = 0;

	for (; n < f->n_uses; n++)
		uses[n] = f->uses[n];
	uses[n++] = (struct model_use){ in->solution.row[c], mix->part[1].count,
					1 };
	return fmax(model_port_bound(uses, n, NULL), f->alone.cycles);
}

/* All forms with a uop that is held on this set. */
static void open_set(struct infer *in, model_ports set, const char *name)
{
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (f->verdict != PORTS_OK || !held_use(f) ||
		    held_use(f)->ports != set || f->class_id != PORTS_NONE)
			continue;
		f->verdict = PORTS_OPEN;
		f->how = arena_printf(
			in->a,
			"%s; its mix with %s is slower than these "
			"ports allow, so the two share a port that "
			"is not known",
			f->how, name);
	}
}

/* Another member of the class; the representative if there is none. */
static uint32_t other_member(const struct infer *in, uint32_t representative,
			     uint32_t form)
{
	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (i != representative &&
		    in->f[i].class_id == in->f[representative].class_id &&
		    infer_may_mix(in, i, form))
			return i;
	return representative;
}

/* Is the mix slower than its ports say, in two measurements, the second with
 * another member if the class has one?  If only the first is slower, the
 * representative may wait for something else. */
static int is_slower(struct infer *in, const struct ports_mix *mix,
		     const struct ports_value *v, bool *ret)
{
	struct ports_mix again = *mix;
	struct ports_value other;
	double most = slower * expected(in, mix);

	*ret = false;
	if (!v->has_value || v->cycles <= most)
		return ERR_OK;
	again.part[1].form =
		other_member(in, mix->part[1].form, mix->part[0].form);
	if (infer_measure(in, PORTS_UNITS, &again, 1, &other) != ERR_OK)
		return in->e->code;
	*ret = other.has_value && other.cycles > most;
	return ERR_OK;
}

static int try_held(struct infer *in, uint32_t form)
{
	struct ports_mix mixes[PORTS_MAX_CLASSES] = { 0 };
	struct ports_value values[PORTS_MAX_CLASSES] = { 0 };
	model_ports set = held_use(&in->f[form])->ports;
	double k = fmin(n_instances(in, &in->f[form]), PORTS_MAX_COUNT);
	size_t n = 0;

	for (size_t c = 0; c < in->n_classes; c++) {
		if (!is_hidden(in, c, set) ||
		    !infer_may_mix(in, in->classes[c].form, form))
			continue;
		infer_add(&mixes[n], form, 1);
		infer_add(&mixes[n++], in->classes[c].form, (uint32_t)k);
	}
	if (infer_measure(in, PORTS_UNITS, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++) {
		bool shared;

		if (is_slower(in, &mixes[i], &values[i], &shared) != ERR_OK)
			return in->e->code;
		if (!shared)
			continue;
		open_set(in, set, in->q->forms[mixes[i].part[1].form].name);
		break;
	}
	return ERR_OK;
}

int infer_held(struct infer *in)
{
	uint32_t held[TRIED];
	size_t n = list_held(in, held);

	for (size_t i = 0; i < n; i++)
		if (try_held(in, held[i]) != ERR_OK)
			return in->e->code;
	return ERR_OK;
}
