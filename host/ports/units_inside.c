/* Units inside known sets of ports; see units.h. */
#include <math.h>

#include "host/ports/units.h"

double units_n_uops(const struct form_state *f)
{
	double n = 0;

	for (size_t i = 0; i < f->n_uses; i++)
		n += f->uses[i].n_uops;
	return n;
}

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
		    units_n_uops(f) + uops_on(&list[i], n_ports) > f->slots)
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
void units_find_inside(struct infer *in, const struct unit_candidate *list,
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

void units_move_uses(struct infer *in, const struct unit_candidate *c,
		     const struct unit *u)
{
	struct form_state *f = &in->f[c->form];
	double n_uops = uops_on(c, u->n_ports);
	struct model_use *use = use_of(f, u->inside, n_uops);

	/* Members of the unit's own batch have it, others may not. */
	if (!use) {
		f->verdict = PORTS_UNSURE;
		return;
	}
	f->how = arena_printf(in->a, "%s, and alone slower than those", f->how);
	use->n_uops -= n_uops;
	if (use->n_uops == 0)
		*use = f->uses[--f->n_uses];
	infer_add_use(f, u->ports, n_uops, 1);
}
