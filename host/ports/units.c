/* Units: forms that are slower alone than their ports explain. Either a unit is
 * not pipelined, or they use ports that no form of one uop uses.
 *
 * Two such forms share a unit if a mix that keeps it busy with both takes as
 * long as one after the other. */
#include <math.h>
#include <stdlib.h>

#include "host/ports/infer.h"

enum {
	MAX_UNITS = 24,
	MAX_COUNT = 24, /* of one form in a mix that compares two */
	/* Slots without a port. With this many, a rate of one or more per cycle
	 * comes from ports and not from a slow unit. */
	REST = 1,
	SLOW = 2, /* cycles */
};

/* A form must be at least this much slower than its ports, relative. */
static const double min_slowdown = 0.05;

struct unit {
	uint32_t representative;
	double cycles;     /* of an instance of the representative */
	model_ports ports; /* ports in the answer */
	unsigned n_ports;
	bool real;
	/* Known set that contains the unit's ports; 0: none. */
	model_ports inside;
};

struct unit_candidate {
	uint32_t form;
	double cycles;
	int unit;
	size_t head; /* index of its representative in the list */
};

static double n_uops(const struct form_state *f)
{
	double n = 0;

	for (size_t i = 0; i < f->n_uses; i++)
		n += f->uses[i].n_uops;
	return n;
}

static double slots_of(const struct form_state *f)
{
	return f->slots > 0 ? f->slots : fmax(1, n_uops(f));
}

static double units_bound_of(const struct infer *in, const struct form_state *f)
{
	return fmax(model_port_bound(f->uses, f->n_uses, NULL),
		    slots_of(f) / in->width);
}

static int units_compare(const void *a, const void *b)
{
	const struct unit_candidate *x = a, *y = b;

	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? -1 : 1;
	return (x->form > y->form) - (x->form < y->form);
}

static size_t units_find(struct infer *in, struct unit_candidate *list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		const struct form_state *f = &in->f[i];
		double least =
			1 + fmax(min_slowdown, infer_tolerance(&f->alone));

		if (f->alone.has_value && !f->wide &&
		    (f->verdict == PORTS_OK || f->verdict == PORTS_OPEN ||
		     f->verdict == PORTS_UNSURE) &&
		    f->alone.cycles > units_bound_of(in, f) * least &&
		    (in->cap > PORTS_NARROW_WIDTH || f->alone.cycles > 1.5))
			list[n++] = (struct unit_candidate){ i, f->alone.cycles,
							     PORTS_NONE, 0 };
	}
	qsort(list, n, sizeof(*list), units_compare);
	return n;
}

/* A mix with about the same time for both. */
static struct ports_mix compare_mix(const struct infer *in, uint32_t x,
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

/* Is the time closer to one after the other than to side by side? */
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
		slots += mix->part[i].count * slots_of(f);
		both += t;
		separate = fmax(separate, t);
	}
	separate = fmax(separate, model_port_bound(uses, n, NULL));
	separate = fmax(separate, slots / in->width);
	return v->has_value && both > separate * 1.1 &&
	       v->cycles > sqrt(both * separate);
}

/* Do the forms have equal times, slots and ports? */
static bool units_is_alike(const struct infer *in,
			   const struct unit_candidate *x,
			   const struct unit_candidate *y)
{
	const struct form_state *f = &in->f[x->form], *g = &in->f[y->form];

	if (fabs(x->cycles / y->cycles - 1) > infer_equal_times ||
	    f->slots != g->slots || f->n_uses != g->n_uses)
		return false;
	for (size_t i = 0; i < f->n_uses; i++)
		if (f->uses[i].ports != g->uses[i].ports ||
		    f->uses[i].n_uops != g->uses[i].n_uops ||
		    f->uses[i].cycles != g->uses[i].cycles)
			return false;
	return true;
}

/* Only the first of several equal forms is compared with every unit. */
static void find_heads(const struct infer *in, struct unit_candidate *list,
		       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		list[i].head = i;
		for (size_t k = i; k-- > 0;) {
			/* Sorted by cycles: all that follow are faster
			 * still. */
			if (list[k].cycles <
			    list[i].cycles * (1 - infer_equal_times))
				break;
			if (list[k].head == k &&
			    units_is_alike(in, &list[k], &list[i])) {
				list[i].head = k;
				break;
			}
		}
	}
}

/* Compare members[0..n) with a unit's representative. Forms that do not share
 * the unit become representatives of their own. */
static int compare_with(struct infer *in, struct unit_candidate *list,
			const size_t *members, size_t n,
			uint32_t representative, int unit)
{
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);

	for (size_t i = 0; i < n; i++)
		mixes[i] =
			compare_mix(in, representative, list[members[i]].form);
	if (infer_measure(in, PORTS_UNITS, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++) {
		if (is_shared(in, &mixes[i], &values[i]))
			list[members[i]].unit = unit;
		else
			list[members[i]].head = members[i];
		in->f[list[members[i]].form].lost |= !values[i].has_value;
	}
	return ERR_OK;
}

/* Create a unit: its representative, forms that share it, and all forms equal
 * to one of these. */
static int join_unit(struct infer *in, struct unit_candidate *list, size_t n,
		     size_t first, int unit)
{
	size_t *members = ARENA_ARRAY(in->a, size_t, n + 1), n_members = 0;
	uint32_t representative = list[first].form;

	list[first].unit = unit;
	list[first].head = first;
	for (size_t i = 0; i < n; i++)
		if (list[i].unit == PORTS_NONE && list[i].head == i)
			members[n_members++] = i;
	if (compare_with(in, list, members, n_members, representative, unit) !=
	    ERR_OK)
		return in->e->code;
	n_members = 0;
	for (size_t i = 0; i < n; i++)
		if (list[i].unit == PORTS_NONE &&
		    list[list[i].head].unit == unit)
			members[n_members++] = i;
	return compare_with(in, list, members, n_members, representative, unit);
}

static int units_join(struct infer *in, struct unit_candidate *list, size_t n,
		      struct unit *units, size_t *ret_n)
{
	find_heads(in, list, n);
	for (*ret_n = 0; *ret_n < MAX_UNITS; (*ret_n)++) {
		size_t first = 0;

		while (first < n && list[first].unit != PORTS_NONE)
			first++;
		if (first == n)
			return ERR_OK;
		units[*ret_n] =
			(struct unit){ .representative = list[first].form,
				       .cycles = list[first].cycles };
		if (join_unit(in, list, n, first, (int)*ret_n) != ERR_OK)
			return in->e->code;
	}
	return ERR_OK;
}

/* Set the ports of a unit. It has as many ports as its representative starts
 * per cycle, if slots are left that could use them; otherwise one pseudo port
 * that stays busy. */
static void measure_unit(const struct infer *in, struct unit *u)
{
	const struct form_state *f = &in->f[u->representative];
	double rate = round(1 / u->cycles);

	u->real = f->slots >= n_uops(f) + REST && rate >= 1 &&
		  fabs(1 / u->cycles / rate - 1) <= 2 * min_slowdown;
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

/* ---- units inside known sets of ports -------------------------------- */

static struct model_use *use_of(struct form_state *f, model_ports ports,
				double n_uops)
{
	for (size_t i = 0; i < f->n_uses; i++)
		if (f->uses[i].ports == ports && f->uses[i].cycles == 1 &&
		    f->uses[i].n_uops >= n_uops)
			return &f->uses[i];
	return NULL;
}

/* Number of uops of a member on a unit of n_ports real ports. */
static double uops_on(const struct unit_candidate *c, unsigned n_ports)
{
	return round(c->cycles * n_ports);
}

/* Does some member have no slot left for one more uop? */
static bool is_overfull(const struct infer *in,
			const struct unit_candidate *list, size_t n, int unit,
			unsigned n_ports)
{
	for (size_t i = 0; i < n; i++) {
		const struct form_state *f = &in->f[list[i].form];

		if (list[i].unit == unit && f->slots > 0 &&
		    n_uops(f) + uops_on(&list[i], n_ports) > f->slots)
			return true;
	}
	return false;
}

/* Does every member have as many uops on this set as on the unit? */
static bool is_common(const struct infer *in, const struct unit_candidate *list,
		      size_t n, int unit, unsigned n_ports, model_ports set)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].unit == unit && !use_of(&in->f[list[i].form], set,
						    uops_on(&list[i], n_ports)))
			return false;
	return model_ports_count(set) > n_ports;
}

/* A subset of these ports that contains no class as a whole. Kernels would have
 * shown a class. */
static model_ports units_part_of(const struct infer *in, model_ports set,
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

/* Find units inside known sets. Example: two stores start per cycle, loads use
 * three ports including these two, and no class consists of the two. */
static void find_inside(struct infer *in, const struct unit_candidate *list,
			size_t n, int unit, struct unit *u)
{
	const struct form_state *f = &in->f[u->representative];

	u->inside = 0;
	if (!u->real || !is_overfull(in, list, n, unit, u->n_ports))
		return;
	for (size_t i = 0; i < f->n_uses; i++) {
		model_ports set = f->uses[i].ports;
		model_ports part = units_part_of(in, set, u->n_ports);

		if (part == 0 || !is_common(in, list, n, unit, u->n_ports, set))
			continue;
		u->inside = set;
		u->ports = part;
		return;
	}
}

/* Move the uses on the wider set to the unit. */
static void move_uses(struct infer *in, const struct unit_candidate *c,
		      const struct unit *u)
{
	struct form_state *f = &in->f[c->form];
	double n_uops = uops_on(c, u->n_ports);
	struct model_use *use = use_of(f, u->inside, n_uops);

	f->how = arena_printf(in->a, "%s, and alone slower than those", f->how);
	use->n_uops -= n_uops;
	if (use->n_uops == 0)
		*use = f->uses[--f->n_uses];
	f->uses[f->n_uses++] = (struct model_use){ u->ports, n_uops, 1 };
}

static void units_add_use(struct infer *in, const struct unit_candidate *c,
			  const struct unit *u)
{
	struct form_state *f = &in->f[c->form];
	struct model_use *use = &f->uses[f->n_uses];
	double busy = c->cycles * u->n_ports;

	if (f->n_uses == PORTS_MAX_USES) {
		f->verdict = PORTS_UNSURE;
		return;
	}
	/* Round to whole cycles within the tolerance. */
	if (!u->real && round(busy) >= 2 &&
	    fabs(busy / round(busy) - 1) < infer_tolerance(&f->alone))
		busy = round(busy);
	*use = (struct model_use){ u->ports, 1, busy };
	/* A real port is busy for whole cycles per uop. */
	if (u->real && fabs(busy - round(busy)) < 3 * min_slowdown * busy)
		*use = (struct model_use){ u->ports, round(busy), 1 };
	f->n_uses++;
	f->how = arena_printf(in->a, "%s, and alone slower than those", f->how);
}

/* ---- undetermined forms that may share a unit ------------------------ */

/* May two forms share a unit although saturation kernels showed ports that are
 * too many under a real scheduler? Slow forms may share one with slow forms,
 * and memory accesses with each other. */
static bool may_share(const struct infer *in, const struct unit *u, uint32_t i)
{
	const struct form_state *f = &in->f[i];

	if (f->verdict != PORTS_OK || !f->alone.has_value || f->wide)
		return false;
	return (in->q->forms[u->representative].memory &&
		in->q->forms[i].memory) ||
	       (u->cycles >= SLOW && f->alone.cycles >= SLOW);
}

/* Is the mix as slow as its parts one after the other, within the tolerance? */
static bool is_one_by_one(const struct infer *in, const struct ports_mix *mix,
			  const struct ports_value *v)
{
	double both = 0;

	for (size_t i = 0; i < mix->n; i++)
		both += mix->part[i].count *
			in->f[mix->part[i].form].alone.cycles;
	return v->cycles > both * (1 - min_slowdown) && is_shared(in, mix, v);
}

static int join_others(struct infer *in, struct unit_candidate *list, size_t *n,
		       const struct unit *units, size_t n_units)
{
	bool *joined = ARENA_ARRAY(in->a, bool, in->q->n_forms);
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, in->q->n_forms);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, in->q->n_forms);

	for (size_t i = 0; i < *n; i++)
		joined[list[i].form] = true;
	for (size_t u = 0; u < n_units; u++) {
		size_t n_mixes = 0;

		for (uint32_t i = 0; i < in->q->n_forms; i++)
			if (!joined[i] && may_share(in, &units[u], i))
				mixes[n_mixes++] = compare_mix(
					in, units[u].representative, i);
		if (infer_measure(in, PORTS_UNITS, mixes, n_mixes, values) !=
		    ERR_OK)
			return in->e->code;
		for (size_t i = 0; i < n_mixes; i++) {
			uint32_t form = mixes[i].part[1].form;

			in->f[form].lost |= !values[i].has_value;
			if (!is_one_by_one(in, &mixes[i], &values[i]))
				continue;
			joined[form] = true;
			list[(*n)++] = (struct unit_candidate){
				form, in->f[form].alone.cycles, (int)u, 0
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

int infer_units(struct infer *in)
{
	struct unit_candidate *list =
		ARENA_ARRAY(in->a, struct unit_candidate, in->q->n_forms);
	size_t n = units_find(in, list), n_units;
	struct unit units[MAX_UNITS];

	if (units_join(in, list, n, units, &n_units) != ERR_OK ||
	    join_others(in, list, &n, units, n_units) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n_units; i++) {
		measure_unit(in, &units[i]);
		find_inside(in, list, n, (int)i, &units[i]);
		if (!units_add_ports(in, &units[i]))
			n_units = i;
	}
	for (size_t i = 0; i < n; i++)
		if (list[i].unit != PORTS_NONE &&
		    (size_t)list[i].unit < n_units)
			(units[list[i].unit].inside ? move_uses
						    : units_add_use)(
				in, &list[i], &units[list[i].unit]);
		else
			in->f[list[i].form].verdict = PORTS_UNSURE;
	leave_lost(in);
	return ERR_OK;
}
