/* Forms that no assignment to the ports of classes explains: alone they are
 * slower than their uops, or have fewer uops than slots.  A unit that is not
 * pipelined is the reason, or ports that no form of one uop uses.
 *
 * The fastest form that is slower than its uops is taken to keep a unit busy.
 * Each of the others is measured with enough of it: the additional time is the
 * form's on the unit.  This is repeated until no such form is left.  Then
 * units_hidden.c finds the units that no form keeps busy alone. */
#include "host/ports/units.h"

#include <math.h>
#include <stdlib.h>

enum { SLOW = 2 }; /* cycles */

/* A form must be at least this much slower than its uops, relative. */
static const double min_slowdown = 0.05;
/* Chosen: a time this close to a whole number of cycles may be one,
 * relative. */
static const double whole = 0.03;
/* Distance of a number of uops from a whole one, at most. */
static const double whole_uops = 0.3;
/* Chosen: a unit that a form waits for takes this share of its time. */
static const double mostly = 0.85;
/* Chosen: uops on the wrong ports make a form less than this much slower. */
static const double far_slower = 2;

/* ---- which forms --------------------------------------------------------- */

static bool is_whole(double x)
{
	return round(x) >= 1 && fabs(x / round(x) - 1) <= whole;
}

/* Can uops explain the time of an instance?  Each holds a port for whole
 * cycles: the time is a whole number of them, or a part that several equal
 * ports share.  A move that the renamer eliminates takes a slot and no port:
 * the number that start in a cycle is not whole.  A form that is far slower
 * than its uops has a unit in any case. */
static bool is_time_of_uops(const struct infer *in, const struct form_state *f)
{
	enum { MOST_PORTS = 3 };
	double t = f->alone.cycles;
	bool ret = t >= SLOW || t >= far_slower * units_bound(in, f) ||
		   is_whole(1 / t);

	for (int n = 1; !ret && n <= MOST_PORTS; n++)
		ret = is_whole(n * t);
	return ret;
}

static bool is_judged(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];

	return infer_in_batch(in, form) && f->alone.has_value && !f->wide &&
	       !f->lost && f->n_uses < PORTS_MAX_USES &&
	       (f->verdict == PORTS_OK || f->verdict == PORTS_OPEN);
}

static bool is_slower(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];
	double some = in->filler == PORTS_NONE ? infer_uneven : min_slowdown;
	double least = 1 + fmax(some, infer_tolerance(&f->alone));

	/* The front end may limit a form that nearly fills it. */
	return is_judged(in, form) && !infer_has_states(in, form) &&
	       f->alone.cycles * infer_nearly_full * in->width >= 1 &&
	       f->alone.cycles > units_bound(in, f) * least &&
	       (in->cap > PORTS_NARROW_WIDTH || f->alone.cycles > 1.5);
}

bool units_has_free_slot(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];

	return is_judged(in, form) && f->verdict == PORTS_OK &&
	       units_room(in, form) >= 1;
}

/* No unit: the core gives some uops the wrong ports, or its accesses delay each
 * other.  That says nothing against the form's ports, unless a uop of it is not
 * known. */
static void leave_slower(struct infer *in, uint32_t form)
{
	struct form_state *f = &in->f[form];

	units_doubt_slower(in, form);
	f->how = arena_printf(
		in->a,
		"%s; alone %.0f %% slower than its uops, which no unit explains",
		f->how, 100 * (f->alone.cycles / units_bound(in, f) - 1));
}

static int by_time(const void *a, const void *b, void *context)
{
	const struct infer *in = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double tx = in->f[x].alone.cycles, ty = in->f[y].alone.cycles;

	if (tx != ty)
		return tx < ty ? -1 : 1;
	return (x > y) - (x < y);
}

/* The forms that are slower than their uops, fastest first. */
static size_t list_slower(struct infer *in, uint32_t *ret)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		if (!is_slower(in, i))
			continue;
		if (is_time_of_uops(in, &in->f[i]))
			ret[n++] = i;
		else
			leave_slower(in, i);
	}
	qsort_r(ret, n, sizeof(*ret), by_time, in);
	return n;
}

/* Is the time alone what an instance costs?  Each form that is far slower than
 * its uops is measured once together with an instance of some classes. */
static int try_mixed(struct infer *in, const uint32_t *list, size_t n)
{
	enum { MOST_OTHERS = 3 };
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);
	size_t n_mixes = 0;

	for (size_t i = 0; i < n; i++) {
		const struct form_state *f = &in->f[list[i]];
		struct ports_mix mix = { .n = 0 };

		if (f->alone.cycles < far_slower * units_bound(in, f))
			continue;
		infer_add(&mix, list[i], 1);
		for (size_t c = 0; c < in->n_classes && mix.n <= MOST_OTHERS;
		     c++)
			if (!in->classes[c].out &&
			    infer_may_join(in, &mix, in->classes[c].form))
				infer_add(&mix, in->classes[c].form, 1);
		if (mix.n > 1)
			mixes[n_mixes++] = mix;
	}
	return infer_measure(in, PORTS_UNITS, mixes, n_mixes, values);
}

/* ---- uses of a unit ------------------------------------------------------ */

/* Uops that the form has on a wider set were on the unit. */
static bool move_uses(struct form_state *f, const struct unit *u, double n_uops)
{
	for (size_t i = 0; i < f->n_uses; i++) {
		struct model_use *use = &f->uses[i];

		if (use->ports != u->inside || use->cycles != 1 ||
		    use->n_uops < n_uops)
			continue;
		use->n_uops -= n_uops;
		if (use->n_uops == 0)
			*use = f->uses[--f->n_uses];
		infer_add_use(f, u->ports, n_uops, 1);
		return true;
	}
	return false;
}

/* Uops of one cycle on a unit's ports.  Where they round to none, it is not known
 * what the form does there. */
static void use_ports(struct infer *in, uint32_t form, const struct unit *u,
		      double cycles)
{
	struct form_state *f = &in->f[form];
	double n_uops = round(cycles), room = units_room(in, form);

	if (fabs(cycles - n_uops) > fmax(whole_uops, min_slowdown * cycles))
		f->verdict = PORTS_OPEN;
	if (n_uops == 0)
		return;
	if (u->inside ? !move_uses(f, u, n_uops) : n_uops > room) {
		f->verdict = PORTS_OPEN;
		return;
	}
	if (!u->inside)
		infer_add_use(f, u->ports, n_uops, 1);
	f->how = arena_printf(in->a, "%s, and on ports that no form uses alone",
			      f->how);
}

/* One uop that keeps the unit busy.  A uop holds a port for whole cycles: if
 * these are none, what makes the form slow is not one port. */
static void use_busy(struct infer *in, struct form_state *f,
		     const struct unit *u, double cycles)
{
	double off = fmax(0.02, infer_tolerance(&f->alone)) * cycles;
	bool doubted;

	/* A form that keeps it busy alone is measured best alone, and none
	 * takes longer on it. */
	if (cycles > f->alone.cycles - fmax(3 * off, whole_uops))
		cycles = f->alone.cycles;
	doubted = fabs(cycles - round(cycles)) > off || round(cycles) < 1;
	if (!doubted)
		cycles = round(cycles);
	/* Where slots are unknown, it may be a part of several uops. */
	doubted = doubted && (f->slots > 0 || (f->n_uses == 0 && cycles > 1));
	if (doubted && f->verdict == PORTS_OK)
		f->verdict = PORTS_OPEN;
	infer_add_use(f, u->ports, 1, cycles);
	f->how = arena_printf(in->a, "%s; alone it keeps a unit busy%s", f->how,
			      doubted ? ", for no whole number of cycles" : "");
}

static void take_use(struct infer *in, uint32_t form, const struct unit *u,
		     double cycles)
{
	struct form_state *f = &in->f[form];

	if (cycles < whole_uops)
		return;
	/* A form that is not slow for this unit has whole uops there, or none:
	 * what it shows then is that the core did not share its ports well. */
	if (!u->real && form != u->representative &&
	    (!is_slower(in, form) || cycles < mostly * f->alone.cycles) &&
	    fabs(cycles - round(cycles)) > whole_uops / 2) {
		if (f->verdict == PORTS_OK)
			f->verdict = PORTS_OPEN;
		return;
	}
	if (u->real)
		use_ports(in, form, u, cycles);
	else
		use_busy(in, f, u, cycles);
}

/* ---- asking -------------------------------------------------------------- */

/* Find what the slow forms of the list and all forms with free slots take of a
 * unit. */
static int ask_unit(struct infer *in, struct unit *u, const uint32_t *slower,
		    size_t n_slower)
{
	size_t most = in->q->n_forms, n = 0, n_listed;
	struct unit_user *list = ARENA_ARRAY(in->a, struct unit_user, most + 1);

	for (size_t i = 0; i < n_slower; i++)
		if (slower[i] != u->representative && is_slower(in, slower[i]))
			list[n++].form = slower[i];
	n_listed = n;
	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (i != u->representative && units_has_free_slot(in, i) &&
		    !is_slower(in, i))
			list[n++].form = i;
	if (units_ask(in, u, list, n, n_listed) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++) {
		in->f[list[i].form].lost |= list[i].lost;
		if (isfinite(list[i].cycles))
			take_use(in, list[i].form, u, list[i].cycles);
	}
	return ERR_OK;
}

int units_add(struct infer *in, uint32_t form, bool hidden,
	      const uint32_t *slower, size_t n_slower)
{
	struct unit *u = &in->units->list[in->units->n];
	size_t n_ports = in->ports.n;

	if (in->units->n == UNITS_MAX || !units_make(in, form, hidden, u)) {
		in->f[form].verdict = hidden ? PORTS_OPEN : PORTS_UNSURE;
		return ERR_OK;
	}
	in->units->n++;
	if (ask_unit(in, u, slower, n_slower) != ERR_OK)
		return in->e->code;
	if (!u->dropped) {
		take_use(in, form, u, u->cycles * u->n_ports);
	} else {
		in->units->n--;
		in->ports.n = n_ports;
	}
	return ERR_OK;
}

/* The next form that is taken to keep a unit busy: of those about as fast as
 * the fastest one left, the one that suits mixes best.  PORTS_NONE: none is
 * left. */
static int32_t next_slower(const struct infer *in, const uint32_t *list,
			   size_t n)
{
	const struct ports_form *forms = in->q->forms;
	double first = 0;
	int32_t best = PORTS_NONE;

	for (size_t i = 0; i < n; i++) {
		double cycles = in->f[list[i]].alone.cycles;

		if (!is_slower(in, list[i]) ||
		    in->f[list[i]].verdict == PORTS_UNSURE)
			continue;
		if (best == PORTS_NONE)
			first = cycles;
		if (best == PORTS_NONE ||
		    (cycles < first * (1 + infer_equal_times) &&
		     forms[list[i]].rank < forms[best].rank))
			best = (int32_t)list[i];
	}
	return best;
}

static int explain_slower(struct infer *in, const uint32_t *list, size_t n)
{
	int32_t form;

	while ((form = next_slower(in, list, n)) != PORTS_NONE) {
		size_t n_uses = in->f[form].n_uses;

		if (units_add(in, (uint32_t)form, false, list, n) != ERR_OK)
			return in->e->code;
		/* Nothing explains it. */
		if (is_slower(in, (uint32_t)form) &&
		    in->f[form].n_uses == n_uses)
			in->f[form].verdict = PORTS_UNSURE;
	}
	return ERR_OK;
}

/* ---- the stage ----------------------------------------------------------- */

/* Forms whose kernel with a unit has no value stay undetermined. */
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

int infer_units(struct infer *in)
{
	uint32_t *list = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms + 1);
	size_t n;

	if (!in->units)
		in->units = ARENA_ARRAY(in->a, struct units, 1);
	infer_note_states(in);
	n = list_slower(in, list);
	if (try_mixed(in, list, n) != ERR_OK)
		return in->e->code;
	infer_note_states(in);
	for (size_t i = 0; i < in->units->n; i++)
		if (!in->units->list[i].dropped &&
		    ask_unit(in, &in->units->list[i], list, n) != ERR_OK)
			return in->e->code;
	return explain_slower(in, list, n);
}

/* Ports of forms without memory, as far as classes have them. */
static unsigned n_ports_seen(const struct infer *in)
{
	model_ports ports = 0;

	for (size_t c = 0; c < in->n_classes; c++)
		if (!in->classes[c].out &&
		    !in->q->forms[in->classes[c].form].memory)
			ports |= in->solution.row[c];
	return model_ports_count(ports);
}

/* Several slots and no uop, where classes have fewer ports than the front end has
 * slots: each uop may use others, which no kernel keeps busy. */
static void leave_without_uops(struct infer *in)
{
	if (n_ports_seen(in) >= in->cap)
		return;
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (!infer_in_batch(in, i) || f->verdict != PORTS_OK ||
		    f->wide || f->n_uses > 0 || f->slots <= 1)
			continue;
		f->verdict = PORTS_OPEN;
		f->how =
			arena_printf(in->a, "%s, which show no uop of %u slots",
				     f->how, f->slots);
	}
}

int infer_leave_units(struct infer *in)
{
	leave_lost(in);
	leave_contradictions(in);
	leave_without_uops(in);
	return ERR_OK;
}
