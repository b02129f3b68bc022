/* Converts LLVM's resources to ports.
 *
 * LLVM charges a use to the unit or group that it names, and also to every
 * group that contains it and to the unit's super-resource.  Subtracting these
 * repetitions, smallest resource first, gives the uses as written in LLVM's
 * source: uops with the sets of ports that can execute them. */
#include "host/base/list.h"
#include "host/codec/llvm/read.h"

struct resources {
	struct llvm *l;
	struct mc_resource *list;
	model_ports *ports;
	unsigned n;
	unsigned *order; /* smaller resources first */
	bool *used;
	bool *pseudo;
	uint32_t **cycles; /* cycles of each seen class, by resource */
};

static bool is_member(const struct mc_resource *group, unsigned unit)
{
	for (unsigned i = 0; group->members && i < group->n_units; i++)
		if (group->members[i] == unit)
			return true;
	return false;
}

bool llvm_charges(const struct mc_resource *list, unsigned from, unsigned to)
{
	const struct mc_resource *f = &list[from], *t = &list[to];

	if (from == to)
		return false;
	for (unsigned s = f->super; s != 0; s = list[s].super)
		if (s == to)
			return true;
	if (!t->members)
		return false;
	if (!f->members)
		return is_member(t, from);
	for (unsigned i = 0; i < f->n_units; i++)
		if (!is_member(t, f->members[i]))
			return false;
	return true;
}

unsigned llvm_resource_rank(const struct mc_resource *list, unsigned index)
{
	enum { DEEPEST = 16 };
	unsigned depth = 0;

	if (list[index].members)
		return DEEPEST + list[index].n_units;
	for (unsigned s = list[index].super; s != 0 && depth < DEEPEST;
	     s = list[s].super)
		depth++;
	return DEEPEST - depth;
}

static void sort_resources(struct resources *r)
{
	for (unsigned i = 1; i < r->n; i++) {
		unsigned at = i;

		for (; at > 1 && llvm_resource_rank(r->list, r->order[at - 1]) >
					 llvm_resource_rank(r->list, i);
		     at--)
			r->order[at] = r->order[at - 1];
		r->order[at] = i;
	}
}

/* Mark the resources that the seen classes use, and their units. */
static int mark_used(struct resources *r, struct err *e)
{
	struct llvm *l = r->l;

	for (unsigned i = 1; i < l->core.n_classes; i++) {
		struct mc_sched_class k;

		if (!l->classes[i].seen)
			continue;
		if (!mc_sched_get_class(l->s, i, &k))
			return err_set(
				e, ERR_INPUT,
				"cpu %s: LLVM has an instruction with more "
				"than %d resources",
				l->core.cpu, MC_SCHED_MAX_USES);
		for (size_t u = 0; u < k.n_uses; u++)
			r->used[k.uses[u].resource] = true;
	}
	for (unsigned i = 1; i < r->n; i++)
		for (unsigned k = 0;
		     r->used[i] && r->list[i].members && k < r->list[i].n_units;
		     k++)
			r->used[r->list[i].members[k]] = true;
	return ERR_OK;
}

/* Ports that only take addresses without an index (Intel 64 and IA-32
 * Architectures Optimization Reference Manual, Haswell: port 7 is for simple
 * store addresses; Ice Lake and later have no such port).  LLVM's tables do not
 * model this. */
static bool takes_no_index(const char *name)
{
	return list_has("HWPort7 BWPort7 SKLPort7 SKXPort7", ' ', name);
}

static int add_ports(struct resources *r, unsigned index, struct err *e)
{
	struct model_port *ports = r->l->ports;
	const struct mc_resource *x = &r->list[index];
	struct model *m = r->l->m;

	if (m->n_ports + x->n_units > MODEL_MAX_PORTS)
		return err_set(e, ERR_INPUT,
			       "cpu %s: LLVM's model has more than %d ports",
			       r->l->core.cpu, MODEL_MAX_PORTS);
	for (unsigned i = 0; i < x->n_units; i++) {
		r->ports[index] |= (model_ports)1 << m->n_ports;
		ports[m->n_ports].no_index = takes_no_index(x->name);
		ports[m->n_ports++].name =
			x->n_units == 1
				? x->name
				: arena_printf(r->l->a, "%s.%u", x->name, i);
	}
	return ERR_OK;
}

/* n ports of the set, starting at the `first`-th and wrapping around. */
static model_ports port_slice(model_ports set, unsigned first, unsigned n)
{
	unsigned all = model_ports_count(set), at = 0;
	model_ports got = 0;

	for (unsigned bit = 0; bit < MODEL_MAX_PORTS; bit++) {
		if ((set >> bit & 1) == 0)
			continue;
		if (n >= all || (at + all - first % all) % all < n)
			got |= (model_ports)1 << bit;
		at++;
	}
	return got;
}

/* Give parts of a resource their units.  LLVM has only the number of units of a
 * part.  Parts get different units as long as there are enough, so they share
 * as few as possible. */
static bool assign_parts(struct resources *r)
{
	bool changed = false;

	for (unsigned s = 1; s < r->n; s++) {
		unsigned first = 0;

		for (unsigned i = 1; r->ports[s] != 0 && i < r->n; i++) {
			if (r->list[i].super != s || !r->used[i])
				continue;
			changed = changed || r->ports[i] == 0;
			r->ports[i] = port_slice(r->ports[s], first,
						 r->list[i].n_units);
			first += r->list[i].n_units;
		}
	}
	return changed;
}

static int number_ports(struct resources *r, struct err *e)
{
	for (unsigned i = 1; i < r->n; i++) {
		const struct mc_resource *x = &r->list[i];

		if (r->used[i] && !x->members && x->super == 0 &&
		    add_ports(r, i, e) != ERR_OK)
			return e->code;
	}
	while (assign_parts(r))
		;
	for (unsigned i = 1; i < r->n; i++)
		for (unsigned k = 0;
		     r->list[i].members && k < r->list[i].n_units; k++)
			r->ports[i] |= r->ports[r->list[i].members[k]];
	return ERR_OK;
}

/* The uses of a class as written in LLVM's source: cycles by resource. */
static uint32_t *own_cycles(const struct resources *r, unsigned class)
{
	uint32_t *cycles = ARENA_ARRAY(r->l->a, uint32_t, r->n);
	struct mc_sched_class k;

	if (!mc_sched_get_class(r->l->s, class, &k))
		return cycles;
	r->l->classes[class].n_uops = k.n_uops;
	for (size_t i = 0; i < k.n_uses; i++)
		cycles[k.uses[i].resource] += k.uses[i].cycles;
	for (unsigned i = 1; i < r->n; i++) {
		unsigned from = r->order[i], n = cycles[from];

		for (unsigned to = 1; n > 0 && to < r->n; to++)
			if (llvm_charges(r->list, from, to))
				cycles[to] -= cycles[to] < n ? cycles[to] : n;
	}
	return cycles;
}

/* Do the other resources of the class have room for all its uops? */
static bool has_room_without(const struct resources *r, unsigned index,
			     unsigned class)
{
	const uint32_t *cycles = r->cycles[class];
	uint32_t room = 0;

	for (unsigned i = 1; i < r->n; i++)
		if (i != index && !r->pseudo[i])
			room += cycles[i];
	return room > 0 && room >= r->l->classes[class].n_uops;
}

static bool is_pseudo(const struct resources *r, unsigned index)
{
	const struct llvm *l = r->l;
	bool used = false;

	for (unsigned g = 1; g < r->n; g++)
		if (r->used[g] && is_member(&r->list[g], index))
			return false;
	for (unsigned k = 1; k < l->core.n_classes; k++) {
		if (!r->cycles[k] || r->cycles[k][index] == 0)
			continue;
		if (!has_room_without(r, index, k))
			return false;
		used = true;
	}
	return used;
}

static uint32_t longest_use(const struct resources *r, unsigned index)
{
	uint32_t most = 0;

	for (unsigned k = 1; k < r->l->core.n_classes; k++)
		if (r->cycles[k] && r->cycles[k][index] > most)
			most = r->cycles[k][index];
	return most;
}

/* Find units that are used in addition to the ports of all uops, as LLVM models
 * dividers: no uop is issued to them.  Checks the unit that is occupied longest
 * first, because of two that could each be such a unit, one is a port. */
static void find_pseudo(struct resources *r)
{
	struct model_port *ports = r->l->ports;

	for (;;) {
		unsigned best = 0;
		uint32_t most = 0;

		for (unsigned i = 1; i < r->n; i++) {
			if (r->list[i].members || r->list[i].super != 0 ||
			    r->pseudo[i] || longest_use(r, i) <= most ||
			    !is_pseudo(r, i))
				continue;
			best = i;
			most = longest_use(r, i);
		}
		if (best == 0)
			return;
		r->pseudo[best] = true;
		for (unsigned i = 0; i < r->l->m->n_ports; i++)
			if ((r->ports[best] >> i & 1) != 0)
				ports[i].pseudo = true;
	}
}

/* LLVM has the uops and the cycles of the whole instruction.  Which uop uses
 * which resource is only known if there is one uop for each cycle, or a single
 * resource. */
static void add_uses(const struct resources *r, unsigned class)
{
	struct llvm_class *k = &r->l->classes[class];
	const uint32_t *cycles = r->cycles[class];
	struct model_use *uses =
		ARENA_ARRAY(r->l->a, struct model_use, MC_SCHED_MAX_USES);
	unsigned sum = 0, places = 0;

	for (unsigned i = 1; i < r->n; i++)
		if (cycles[i] > 0 && !r->pseudo[i]) {
			sum += cycles[i];
			places++;
		}
	for (unsigned i = 1; i < r->n; i++) {
		unsigned n = 1;

		if (cycles[i] == 0)
			continue;
		if (!r->pseudo[i] && sum <= k->n_uops)
			n = cycles[i];
		else if (!r->pseudo[i] && places == 1 && k->n_uops > 0 &&
			 cycles[i] % k->n_uops == 0)
			n = k->n_uops;
		uses[k->n_uses++] = (struct model_use){
			.ports = r->ports[i],
			.n_uops = n,
			.cycles = (double)cycles[i] / n,
		};
	}
	k->uses = uses;
}

static void add_throughput(const struct llvm *l, struct llvm_class *k)
{
	double cycles = model_port_bound(k->uses, k->n_uses, NULL);
	double slots = (double)k->n_uops / l->core.width;

	cycles = slots > cycles ? slots : cycles;
	k->throughput = (struct model_span){ true, cycles, cycles };
}

int llvm_ports(struct llvm *l, struct err *e)
{
	unsigned n = l->core.n_resources;
	struct resources r = {
		.l = l,
		.n = n,
		.list = ARENA_ARRAY(l->a, struct mc_resource, n + 1),
		.ports = ARENA_ARRAY(l->a, model_ports, n + 1),
		.order = ARENA_ARRAY(l->a, unsigned, n + 1),
		.used = ARENA_ARRAY(l->a, bool, n + 1),
		.pseudo = ARENA_ARRAY(l->a, bool, n + 1),
		.cycles = ARENA_ARRAY(l->a, uint32_t *, l->core.n_classes),
	};

	for (unsigned i = 1; i < n; i++)
		mc_sched_get_resource(l->s, i, &r.list[i]);
	sort_resources(&r);
	if (mark_used(&r, e) != ERR_OK || number_ports(&r, e) != ERR_OK)
		return e->code;
	for (unsigned k = 1; k < l->core.n_classes; k++)
		if (l->classes[k].seen)
			r.cycles[k] = own_cycles(&r, k);
	find_pseudo(&r);
	for (unsigned k = 1; k < l->core.n_classes; k++)
		if (l->classes[k].seen) {
			add_uses(&r, k);
			add_throughput(l, &l->classes[k]);
		}
	return ERR_OK;
}
