/* Units: forms that are slower alone than their ports explain.  Either a unit
 * is not pipelined, or they use ports that no form of one uop uses.  Forms with
 * two states (states.c), and those that no uop of whole cycles explains, have
 * none.
 *
 * Two such forms share a unit if a mix that keeps it busy with both takes as
 * long as one after the other. */
#include <math.h>
#include <stdlib.h>

#include "host/ports/units.h"

enum {
	/* Slots without a port. With this many, a rate of one or more per cycle
	 * comes from ports and not from a slow unit. */
	REST = 1,
	SLOW = 2, /* cycles */
};

/* A form must be at least this much slower than its ports, relative. */
static const double min_slowdown = 0.05;
/* Chosen: a time this close to a whole number of cycles may be one,
 * relative. */
static const double whole = 0.03;
/* Chosen: uops on the wrong ports make a form less than this much slower. */
static const double far_slower = 2;

static double units_bound_of(const struct infer *in, const struct form_state *f)
{
	return fmax(model_port_bound(f->uses, f->n_uses, NULL),
		    units_slots_of(f) / in->width);
}

static int units_compare(const void *a, const void *b)
{
	const struct unit_candidate *x = a, *y = b;

	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? -1 : 1;
	return (x->form > y->form) - (x->form < y->form);
}

static bool is_whole(double x)
{
	return round(x) >= 1 && fabs(x / round(x) - 1) <= whole;
}

/* Can uops explain the time of an instance?  Each holds a port for whole
 * cycles: the time is a whole number of them, or a part that several equal
 * ports share.  A move that the renamer eliminates takes a slot and no port:
 * the number that start in a cycle is not whole.  A form that is far slower
 * than its ports has a unit in any case. */
static bool units_is_time(const struct infer *in, const struct form_state *f)
{
	enum { MOST_PORTS = 3 };
	double t = f->alone.cycles;
	bool ret = t >= SLOW || t >= far_slower * units_bound_of(in, f) ||
		   is_whole(1 / t);

	for (int n = 1; !ret && n <= MOST_PORTS; n++)
		ret = is_whole(n * t);
	return ret;
}

/* No unit: the core gives some uops the wrong ports, or its accesses delay each
 * other. */
static void units_leave(struct infer *in, struct form_state *f)
{
	if (f->verdict != PORTS_OK)
		return;
	f->verdict = PORTS_OPEN;
	f->how = arena_printf(
		in->a,
		"%s, and alone %.0f %% slower than its ports, which "
		"no uop of whole cycles explains",
		f->how, 100 * (f->alone.cycles / units_bound_of(in, f) - 1));
}

static size_t units_find(struct infer *in, struct unit_candidate *list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];
		double least =
			1 + fmax(min_slowdown, infer_tolerance(&f->alone));

		if (!infer_in_batch(in, i) || !f->alone.has_value || f->wide ||
		    (f->verdict != PORTS_OK && f->verdict != PORTS_OPEN &&
		     f->verdict != PORTS_UNSURE) ||
		    f->alone.cycles <= units_bound_of(in, f) * least ||
		    (in->cap <= PORTS_NARROW_WIDTH && f->alone.cycles <= 1.5))
			continue;
		if (infer_has_states(in, i))
			continue;
		if (units_is_time(in, f))
			list[n++] =
				(struct unit_candidate){ i, f->alone.cycles,
							 PORTS_NONE, 0, false };
		else
			units_leave(in, f);
	}
	qsort(list, n, sizeof(*list), units_compare);
	return n;
}

/* Set the ports of a unit. It has as many ports as its representative starts
 * per cycle, if slots are left that could use them; otherwise one pseudo port
 * that stays busy. */
static void measure_unit(const struct infer *in, struct unit *u)
{
	const struct form_state *f = &in->f[u->representative];
	double rate = round(1 / u->cycles);
	/* Other uops of a hidden unit's representative may slow it down. */
	double limit = u->hidden ? 2 * min_slowdown : whole;

	u->real = units_least_slots(f) >= units_n_uops(f) + REST && rate >= 1 &&
		  fabs(1 / u->cycles / rate - 1) <= limit;
	u->n_ports = u->real ? (unsigned)rate : 1;
}

static bool units_add_ports(struct infer *in, struct unit *u)
{
	size_t n = in->ports.n / sizeof(struct model_port);

	if (u->inside)
		return true;
	if (n + u->n_ports > MODEL_MAX_PORTS)
		return false;
	for (unsigned i = 0; i < u->n_ports; i++, n++) {
		struct model_port port = {
			.name = arena_printf(in->a, u->real ? "p%zu" : "u%zu",
					     n),
			.pseudo = !u->real,
		};

		buffer_add(&in->ports, &port, sizeof(port));
		u->ports |= (model_ports)1 << n;
	}
	return true;
}

/* A uop holds its port for whole cycles.  What makes this form slow is then not
 * one port: several ports that no kernel shows, or a part of known ones. */
static bool is_broken(const struct form_state *f, double busy)
{
	/* Where slots are unknown, it may be one of several units that a form
	 * of several uops needs. */
	return (f->slots > 0 || (f->n_uses == 0 && busy > 1)) &&
	       fabs(busy - round(busy)) >
		       fmax(0.02, infer_tolerance(&f->alone) * busy);
}

static void units_add_use(struct infer *in, const struct unit_candidate *c,
			  const struct unit *u)
{
	struct form_state *f = &in->f[c->form];
	struct model_use use;
	double busy = c->cycles * u->n_ports;
	bool broken;

	if (f->n_uses == PORTS_MAX_USES) {
		f->verdict = PORTS_UNSURE;
		return;
	}
	/* Round to whole cycles within the tolerance. */
	if (!u->real && round(busy) >= 2 &&
	    fabs(busy / round(busy) - 1) < infer_tolerance(&f->alone))
		busy = round(busy);
	broken = !u->real && is_broken(f, busy);
	use = (struct model_use){ u->ports, 1, busy };
	/* A real port is busy for whole cycles per uop. */
	if (u->real && fabs(busy - round(busy)) < 3 * min_slowdown * busy)
		use = (struct model_use){ u->ports, round(busy), 1 };
	infer_add_use(f, use.ports, use.n_uops, use.cycles);
	f->how = arena_printf(in->a, "%s, and alone slower than those", f->how);
	if (!broken || f->verdict != PORTS_OK)
		return;
	f->verdict = PORTS_OPEN;
	f->how = arena_printf(
		in->a,
		"%s; the port time that this takes is no whole number of cycles",
		f->how);
}

/* ---- undetermined forms that may share a unit ------------------------ */

/* May two slow forms share a unit although saturation kernels showed ports that
 * are too many under a real scheduler? */
static bool may_share(const struct infer *in, const struct unit *u, uint32_t i)
{
	const struct form_state *f = &in->f[i];

	if (!infer_in_batch(in, i) || f->verdict != PORTS_OK ||
	    !f->alone.has_value || f->wide)
		return false;
	return u->cycles >= SLOW && f->alone.cycles >= SLOW;
}

/* Is the mix as slow as its parts one after the other, within the tolerance? */
static bool is_one_by_one(const struct infer *in, const struct ports_mix *mix,
			  const struct ports_value *v)
{
	double both = 0;

	for (size_t i = 0; i < mix->n; i++)
		both += mix->part[i].count *
			in->f[mix->part[i].form].alone.cycles;
	return v->has_value && v->cycles > both * (1 - min_slowdown) &&
	       units_is_shared(in, mix, v);
}

static int join_others(struct infer *in, struct unit_candidate *list, size_t *n,
		       struct units *units)
{
	bool *joined = ARENA_ARRAY(in->a, bool, in->q->n_forms);
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, in->q->n_forms + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, in->q->n_forms + 1);

	for (size_t i = 0; i < *n; i++)
		joined[list[i].form] = true;
	for (size_t u = 0; u < units->n; u++) {
		struct unit *unit = &units->list[u];
		size_t n_mixes = 0;
		bool known;

		if (unit->dropped)
			continue;
		for (uint32_t i = 0; i < in->q->n_forms; i++)
			if (!joined[i] && may_share(in, unit, i) &&
			    infer_may_mix(in, unit->representative, i))
				mixes[n_mixes++] = units_compare_mix(
					in, unit->representative, i);
		if (units_measure_with(in, unit->representative, mixes, n_mixes,
				       values, &known) != ERR_OK)
			return in->e->code;
		if (!known && !unit->measured)
			units_drop(in, unit);
		for (size_t i = 0; known && i < n_mixes; i++) {
			uint32_t form = mixes[i].part[1].form;

			unit->measured |= values[i].has_value;
			in->f[form].lost |= !values[i].has_value;
			if (!is_one_by_one(in, &mixes[i], &values[i]))
				continue;
			joined[form] = true;
			list[(*n)++] = (struct unit_candidate){
				form, in->f[form].alone.cycles, (int)u, 0, true
			};
		}
	}
	return ERR_OK;
}

/* Forms that may share a unit with undetermined forms, or have slots without a
 * known uop, stay undetermined as well. */
static void leave_lost(struct infer *in)
{
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (!f->lost || f->verdict == PORTS_NO_VALUE ||
		    f->verdict == PORTS_CLOSES)
			continue;
		f->verdict = PORTS_UNFINISHED;
		f->n_uses = 0;
	}
}

/* What made the class contradict all others may also be in the saturation
 * kernels of its members. */
static void leave_contradictions(struct infer *in)
{
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (!f->contradicts || f->verdict != PORTS_OK)
			continue;
		f->verdict = PORTS_OPEN;
		f->how = arena_printf(in->a,
				      "%s, but with its class no faster than "
				      "one uop, which no matrix of ports has",
				      f->how);
	}
}

/* Give the new units ports, as far as there are names for them. */
static void add_new_units(struct infer *in, struct units *units, size_t n_old,
			  const struct unit_candidate *list, size_t n)
{
	for (size_t i = n_old; i < units->n; i++) {
		struct unit *u = &units->list[i];

		if (u->dropped)
			continue;
		measure_unit(in, u);
		units_find_inside(in, list, n, (int)i, u);
		if (!units_add_ports(in, u))
			units->n = i;
	}
}

/* Drop the candidates that a mix shows to have two states; returns how many are
 * left. */
static size_t units_drop_with_states(struct infer *in,
				     struct unit_candidate *list, size_t n)
{
	size_t left = 0;

	infer_note_states(in);
	for (size_t i = 0; i < n; i++)
		if (!infer_has_states(in, list[i].form))
			list[left++] = list[i];
	return left;
}

/* Is the time alone what an instance costs? Each candidate that is far slower
 * than its ports is measured once together with an instance of some classes. */
static int units_try_mixed(struct infer *in, struct unit_candidate *list,
			   size_t *n)
{
	enum { MOST_OTHERS = 3 };
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, *n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, *n + 1);
	size_t n_mixes = 0;

	for (size_t i = 0; i < *n; i++) {
		struct ports_mix mix = { .n = 0 };
		uint32_t form = list[i].form;

		if (list[i].cycles <
		    far_slower * units_bound_of(in, &in->f[form]))
			continue;
		infer_add(&mix, form, 1);
		for (size_t c = 0; c < in->n_classes && mix.n <= MOST_OTHERS;
		     c++)
			if (!in->classes[c].out &&
			    infer_may_join(in, &mix, in->classes[c].form))
				infer_add(&mix, in->classes[c].form, 1);
		if (mix.n > 1)
			mixes[n_mixes++] = mix;
	}
	if (infer_measure(in, PORTS_UNITS, mixes, n_mixes, values) != ERR_OK)
		return in->e->code;
	*n = units_drop_with_states(in, list, *n);
	return ERR_OK;
}

int infer_units(struct infer *in)
{
	struct unit_candidate *list =
		ARENA_ARRAY(in->a, struct unit_candidate, in->q->n_forms);
	size_t n, n_old;

	infer_note_states(in);
	n = units_find(in, list);
	if (units_try_mixed(in, list, &n) != ERR_OK)
		return in->e->code;
	if (!in->units)
		in->units = ARENA_ARRAY(in->a, struct units, 1);
	n_old = in->units->n;
	if (units_join(in, list, n, in->units) != ERR_OK ||
	    join_others(in, list, &n, in->units) != ERR_OK ||
	    units_found_hidden(in, in->units) != ERR_OK)
		return in->e->code;
	add_new_units(in, in->units, n_old, list, n);
	for (size_t i = 0; i < n; i++) {
		const struct unit *u;

		if (list[i].unit == PORTS_NONE ||
		    (size_t)list[i].unit >= in->units->n) {
			in->f[list[i].form].verdict = PORTS_UNSURE;
			continue;
		}
		u = &in->units->list[list[i].unit];
		if (u->inside)
			units_move_uses(in, &list[i], u);
		else
			units_add_use(in, &list[i], u);
	}
	if (units_use_hidden(in, in->units) != ERR_OK)
		return in->e->code;
	leave_lost(in);
	leave_contradictions(in);
	return ERR_OK;
}

void infer_open_slots(struct infer *in)
{
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct ports_answer_form *w = &in->answers[i];
		double least = units_least_slots(&in->f[i]);

		if (w->verdict != PORTS_OK || least < 2 ||
		    units_n_uops(&in->f[i]) + 1 > least)
			continue;
		w->verdict = PORTS_OPEN;
		w->how = arena_printf(
			in->a, "%s; fewer uops were found than slots", w->how);
	}
}
