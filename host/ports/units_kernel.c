/* A unit's ports, and the kernels that show which forms use it; see units.h. */
#include <math.h>

#include "host/ports/units.h"

enum {
	LONGER = 3,      /* a kernel lasts so many times the form's own time */
	MOST_COUNT = 96, /* instances in it */
	FEWEST = 4,      /* kernels that say something about a representative */
	MOST_LOST = 4,   /* at least one of so many has a value */
};

/* Chosen: a rate this close to a whole number of instances per cycle is one,
 * relative; of a hidden unit, other uops may slow down the representative. */
static const double whole_rate = 0.03, whole_hidden_rate = 0.1;
/* Chosen: an instance in a mix is slower than alone, relative. */
static const double far_off = 0.08;

double units_n_uops(const struct form_state *f)
{
	double n = 0;

	for (size_t i = 0; i < f->n_uses; i++)
		n += f->uses[i].n_uops;
	return n;
}

double units_least_slots(const struct form_state *f)
{
	return f->slots == 0 && f->multiple ? 2 : f->slots;
}

double units_room(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];
	double most = units_least_slots(f);

	if (f->slots > 0)
		most += infer_shared(in, form);
	return fmax(0, most - units_n_uops(f));
}

/* Where slots are not known, one for each known uop, and at least one. */
static double slots_of(const struct form_state *f)
{
	return f->slots > 0 ? f->slots : fmax(1, units_n_uops(f));
}

double units_bound(const struct infer *in, const struct form_state *f)
{
	return fmax(model_port_bound(f->uses, f->n_uses, NULL),
		    slots_of(f) / in->width);
}

/* ---- a new unit ---------------------------------------------------------- */

/* A subset of these ports that contains no class as a whole: kernels would have
 * shown that.  0: there is none. */
static model_ports part_of(const struct infer *in, model_ports set,
			   unsigned n_ports)
{
	for (model_ports part = (set - 1) & set; part != 0;
	     part = (part - 1) & set) {
		bool hidden = model_ports_count(part) == n_ports;

		for (size_t c = 0; c < in->n_classes && hidden; c++)
			hidden = in->classes[c].out ||
				 (part & ~in->solution.row[c]) != 0 ||
				 (set & ~in->solution.row[c]) == 0;
		if (hidden)
			return part;
	}
	return 0;
}

/* The form has no slot left for a uop on other ports: the unit is a part of
 * ports that are known.  Example: two stores start per cycle, loads use three
 * ports including these two, and no class consists of the two. */
static void find_inside(const struct infer *in, struct unit *u)
{
	const struct form_state *f = &in->f[u->representative];
	double n_uops = round(u->cycles * u->n_ports);

	if (!u->real || f->slots == 0 ||
	    n_uops <= units_room(in, u->representative))
		return;
	for (size_t i = 0; i < f->n_uses && u->inside == 0; i++) {
		model_ports set = f->uses[i].ports;
		model_ports part = part_of(in, set, u->n_ports);

		if (part == 0 || f->uses[i].cycles != 1 ||
		    f->uses[i].n_uops < n_uops ||
		    model_ports_count(set) <= u->n_ports)
			continue;
		u->inside = set;
		u->ports = part;
	}
}

static bool add_ports(struct infer *in, struct unit *u)
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

bool units_make(struct infer *in, uint32_t form, bool hidden, struct unit *ret)
{
	const struct form_state *f = &in->f[form];
	double rate = round(1 / f->alone.cycles);

	*ret = (struct unit){ .representative = form,
			      .cycles = f->alone.cycles };
	/* It has as many ports as instances start per cycle, if the form has a
	 * uop for them. */
	ret->real =
		rate >= 1 && fabs(1 / ret->cycles / rate - 1) <=
				     (hidden ? whole_hidden_rate : whole_rate);
	ret->n_ports = ret->real ? (unsigned)rate : 1;
	find_inside(in, ret);
	if (ret->real && !ret->inside && units_room(in, form) < 1) {
		ret->real = false;
		ret->n_ports = 1;
	}
	return add_ports(in, ret);
}

/* ---- kernels ------------------------------------------------------------- */

static struct ports_mix kernel_of(const struct infer *in, const struct unit *u,
				  uint32_t form)
{
	struct ports_mix mix = { .n = 0 };
	double n = ceil(LONGER * in->f[form].alone.cycles / u->cycles) +
		   2 * u->n_ports;

	if (n > MOST_COUNT || !infer_may_mix(in, u->representative, form))
		return mix;
	infer_add(&mix, u->representative, (uint32_t)n);
	infer_add(&mix, form, 1);
	return mix;
}

/* Do known ports or the front end take longer than the busy unit?  Then the
 * kernel shows nothing. */
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
		slots += mix->part[i].count * slots_of(f);
	}
	if (in->filler == PORTS_NONE)
		slots *= 1 + infer_uneven;
	return fmax(model_port_bound(uses, n, NULL), slots / in->width) >
	       base * 1.01;
}

/* The representative cannot be measured with others: take back an answer that
 * says it shares the unit with none. */
static void drop_unit(struct infer *in, struct unit *u)
{
	struct ports_answer_form *answer = &in->answers[u->representative];

	u->dropped = true;
	in->f[u->representative].lost = true;
	answer->verdict = PORTS_UNFINISHED;
	answer->n_uses = 0;
}

/* A kernel like the others with a form that cannot use the unit: of a class, or
 * the filler.  Without parts if there is none. */
static struct ports_mix control_of(const struct infer *in, const struct unit *u)
{
	struct ports_mix mix = { .n = 0 };

	if (in->filler != PORTS_NONE &&
	    in->filler != (int32_t)u->representative)
		mix = kernel_of(in, u, (uint32_t)in->filler);
	for (size_t c = 0; c < in->n_classes && mix.n == 0; c++)
		if (!in->classes[c].out)
			mix = kernel_of(in, u, in->classes[c].form);
	return mix;
}

/* The representative takes longer in the control than alone: what it does alone
 * says nothing about others. */
static bool is_other_mixed(const struct infer *in, const struct unit *u,
			   const struct ports_mix *control,
			   const struct ports_value *v)
{
	double base = control->part[0].count * u->cycles;

	return v->has_value && !hides(in, control, base) &&
	       v->cycles > base * (1 + far_off);
}

int units_ask(struct infer *in, struct unit *u, struct unit_user *users,
	      size_t n, size_t n_slower)
{
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);
	size_t *of = ARENA_ARRAY(in->a, size_t, n + 1);
	struct ports_mix control = control_of(in, u);
	size_t n_mixes = 0, n_values = 0, n_asked = 0, n_slow_values = 0;

	for (size_t i = 0; i < n; i++) {
		struct ports_mix mix = kernel_of(in, u, users[i].form);

		users[i].cycles = NAN;
		users[i].lost = false;
		if (u->dropped || mix.n == 0 ||
		    hides(in, &mix, mix.part[0].count * u->cycles))
			continue;
		of[n_mixes] = i;
		mixes[n_mixes++] = mix;
	}
	if (n_mixes == 0)
		return ERR_OK;
	mixes[n_mixes] = control;
	if (infer_measure(in, PORTS_UNITS, mixes, n_mixes + (control.n > 0),
			  values) != ERR_OK)
		return in->e->code;
	if (control.n > 0 &&
	    is_other_mixed(in, u, &control, &values[n_mixes])) {
		/* An earlier control was as expected: it is this one that was
		 * disturbed, and shows nothing. */
		if (u->measured)
			return ERR_OK;
		u->dropped = true;
		in->f[u->representative].verdict = PORTS_UNSURE;
		return ERR_OK;
	}
	for (size_t i = 0; i < n_mixes; i++) {
		n_values += values[i].has_value;
		n_asked += of[i] < n_slower;
		n_slow_values += of[i] < n_slower && values[i].has_value;
	}
	if (!u->measured && n_asked >= FEWEST &&
	    MOST_LOST * n_slow_values < n_asked &&
	    (control.n == 0 || values[n_mixes].has_value)) {
		drop_unit(in, u);
		return ERR_OK;
	}
	u->measured |= n_values > 0;
	for (size_t i = 0; i < n_mixes; i++) {
		struct unit_user *user = &users[of[i]];

		user->lost = !values[i].has_value;
		if (values[i].has_value)
			user->cycles =
				fmax(0, (values[i].cycles -
					 mixes[i].part[0].count * u->cycles) *
						u->n_ports);
	}
	return ERR_OK;
}

void units_doubt_slower(struct infer *in, uint32_t form)
{
	struct form_state *f = &in->f[form];

	if (f->verdict == PORTS_OK &&
	    (f->slots == 0 || units_room(in, form) >= 1))
		f->verdict = PORTS_OPEN;
}
