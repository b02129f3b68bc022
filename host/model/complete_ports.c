/* Ports of completed forms; see complete_read.h.
 *
 * A form whose ports are unknown charges pools. A pool is a unit that forms
 * share: one for all loads, one for all stores, one for each scheduling class,
 * and one for each set of ports of the tables. The pool of a set takes what was
 * measured for the fastest forms on that set; forms whose ports lie within it
 * share it. Contention between other pools is ignored, so that the bound is a
 * lower bound. */
#include <math.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/mc.h"
#include "host/model/complete_read.h"

enum { MAX_USES = 24 };

enum part { PART_LOAD, PART_STORE, PART_COMPUTE, PART_N };

struct parts {
	bool does[PART_N], lacks[PART_N];
};

struct use_list {
	const char *like; /* the form that has them; NULL: several, or itself */
	size_t n, n_access;
	struct model_use uses[MAX_USES];
};

/* The form whose ports are searched, and what a layer found. */
struct ports_search {
	struct completion *k;
	struct completed_form *f;
	complete_other *complete;
	struct parts parts;
	bool measured; /* parts: what nothing measured has does not count */
	bool open;     /* own ports: those that a search left open */
	struct use_list l;
};

/* Ports that take a smaller share of a form's throughput do not explain it. */
static const double explains = 0.98;

/* ---- parts ------------------------------------------------------------- */

/* The access or the computation of the form, as a form of its own; NULL: none
 * is known.  Parts of parts end: with an access that stands for itself. */
static const struct completed_form *part_of(const struct ports_search *s,
					    enum part part)
{
	struct completion *k = s->k;
	const struct form *f = s->f->form, *x = NULL;
	const struct plain_access *plain;

	if (part == PART_COMPUTE) {
		x = class_in_registers(k, f, COST_PORTS);
		x = x ? x : class_in_registers(k, f, COST_THROUGHPUT);
	} else {
		plain = complete_plain(k, f, part == PART_STORE, COST_PORTS);
		if (!plain)
			plain = complete_plain(k, f, part == PART_STORE,
					       COST_THROUGHPUT);
		x = plain ? plain->form : NULL;
	}
	if (!x || x == f)
		return NULL;
	return s->complete(k, x);
}

/* ---- charges ----------------------------------------------------------- */

/* Several uops of a form may charge one pool.  Together they take no longer
 * than an instance of the form by itself; where its time is an interval, than
 * the least, or for an access, whose time was measured without the form, than
 * the most. */
static void add_charge(struct completed_form *f, uint32_t pool, double cycles,
		       bool needs)
{
	const double most = pool < POOL_FIRST ? f->costs.throughput.high
					      : f->costs.throughput.low;
	size_t i = 0;

	if (!(cycles > 0))
		return;
	while (i < f->n_charges && f->charges[i].pool != pool)
		i++;
	if (i == COMPLETE_MAX_CHARGES)
		return;
	if (i == f->n_charges)
		f->charges[f->n_charges++] =
			(struct model_charge){ .pool = pool };
	f->charges[i].cycles = fmin(most, f->charges[i].cycles + cycles);
	f->charges[i].needs |= needs;
}

/* The pool of the scheduling class; of a form with an access that of its
 * computation. */
static uint32_t class_pool(const struct completion *k, const struct form *f)
{
	enum { FIRST = POOL_FIRST + COMPLETE_MAX_GROUPS, ALONE = 1 << 24 };
	const struct form *registers = NULL;
	struct mc_opcode x;

	if (form_loads(f) || form_stores(f))
		registers = class_in_registers(k, f, COST_THROUGHPUT);
	mc_get_opcode(k->c->mc, registers ? registers->opcode : f->opcode, &x);
	if (x.sched_class == 0)
		return ALONE + (uint32_t)(f - k->c->forms);
	return FIRST + x.sched_class;
}

/* Cycles of a pool that a use of the form takes. A form of one uop on that very
 * set has been measured: it may lose a little, as forms with a result do. */
static double group_cycles(const struct completed_form *f,
			   const struct model_use *use,
			   const struct port_group *g)
{
	static const double little = 1.2;
	double cycles = use->n_uops * g->cycles, rate = f->costs.throughput.low;

	if (f->table->n_uses == 1 && use->n_uops == 1 &&
	    use->ports == g->ports && rate <= little * cycles)
		return rate;
	return fmin(rate, cycles);
}

/* May a uop of the form be on this set, which contains that of its table?  If
 * the table is contradicted, the form's ports are uncertain: of larger sets
 * only those count that measured forms with the same kind of operands use as
 * their only uop. */
static bool may_be_on(const struct completion *k,
		      const struct completed_form *f,
		      const struct model_use *use, const struct port_group *g)
{
	return (use->ports & ~g->ports) == 0 &&
	       (!f->table_contradicted || use->ports == g->ports ||
		(g->kinds >> complete_kind(k->c, f->form) & 1) != 0);
}

/* The pools of the tables' sets that contain this one. A uop that keeps a unit
 * busy for longer does not keep others out of its ports. */
static void charge_groups(const struct completion *k, struct completed_form *f,
			  const struct model_use *use, bool needs)
{
	for (size_t i = 0; i < k->n_groups; i++) {
		const struct port_group *g = &k->groups[i];

		if (may_be_on(k, f, use, g))
			add_charge(f, POOL_FIRST + (uint32_t)i,
				   group_cycles(f, use, g), needs);
	}
}

/* What the computation of a form in registers charges: a form whose table has
 * the access alone needs the same units. */
static void charge_computation(const struct ports_search *s)
{
	const struct completed_form *x = part_of(s, PART_COMPUTE);

	for (size_t i = 0; x && i < x->n_charges; i++)
		if (x->charges[i].pool >= POOL_FIRST)
			add_charge(s->f, x->charges[i].pool,
				   x->charges[i].cycles,
				   s->parts.lacks[PART_COMPUTE]);
}

static bool uses_access_alone(const struct completion *k,
			      const struct completed_form *f)
{
	bool accesses = form_loads(f->form) || form_stores(f->form);

	for (size_t u = 0; f->table && u < f->table->n_uses; u++)
		accesses &= (f->table->uses[u].ports & ~k->memory) == 0;
	return accesses;
}

static void charge_all(const struct ports_search *s)
{
	const struct completion *k = s->k;
	struct completed_form *f = s->f;
	const bool *lacks = s->parts.lacks;

	if (f->costs.eliminated || !f->costs.throughput.has_value)
		return;
	add_charge(f, POOL_LOADS, f->load_cycles, lacks[PART_LOAD]);
	add_charge(f, POOL_STORES, f->store_cycles, lacks[PART_STORE]);
	if (!s->parts.does[PART_COMPUTE])
		return;
	add_charge(f, class_pool(k, f->form), f->costs.throughput.low,
		   lacks[PART_COMPUTE]);
	if (uses_access_alone(k, f))
		charge_computation(s);
	for (size_t u = 0; f->table && u < f->table->n_uses; u++)
		if ((f->table->uses[u].ports & ~k->memory) != 0)
			charge_groups(k, f, &f->table->uses[u],
				      lacks[PART_COMPUTE]);
}

/* ---- uses -------------------------------------------------------------- */

static bool is_too_slow(const struct ports_search *s)
{
	const struct model_span *rate = &s->f->costs.throughput;

	return rate->has_value &&
	       model_port_bound(s->l.uses, s->l.n, NULL) > slower * rate->high;
}

/* Does the form take longer than the ports and slots of the tables say? */
static bool is_too_fast(const struct ports_search *s)
{
	const struct model_span *rate = &s->f->costs.throughput;
	const struct model_span *width = &s->k->m.width;
	double bound = model_port_bound(s->l.uses, s->l.n, NULL);

	if (width->has_value && s->f->table->slots.has_value)
		bound = fmax(bound, s->f->table->slots.low / width->high);
	return rate->has_value && bound < faster * rate->low;
}

/* Uses of the tables become uses of the completed model; false: a port
 * corresponds to none. */
static bool translate(const struct completion *k, struct use_list *l)
{
	for (size_t u = 0; u < l->n; u++) {
		model_ports set = 0;

		for (size_t p = 0; p < MODEL_MAX_PORTS; p++) {
			if ((l->uses[u].ports >> p & 1) == 0)
				continue;
			if (k->mapped[p] == 0)
				return false;
			set |= k->mapped[p];
		}
		l->uses[u].ports = set;
	}
	return true;
}

/* Ports of each part, those of its access first. Returns whether a part has
 * ports. */
static bool of_parts(struct ports_search *s)
{
	struct parts *parts = &s->parts;
	struct use_list *l = &s->l;
	bool any = false;

	if (!parts->does[PART_LOAD] && !parts->does[PART_STORE])
		return false;
	for (int i = 0; i < PART_N; i++) {
		const struct completed_form *x;

		if (!parts->does[i])
			continue;
		x = part_of(s, (enum part)i);
		parts->lacks[i] = !x || !x->costs.has_ports ||
				  (s->measured &&
				   x->origin[COST_PORTS].origin > ORIGIN_CLASS);
		if (parts->lacks[i] && s->measured)
			return false;
		for (size_t u = 0;
		     !parts->lacks[i] && u < x->costs.n_uses && l->n < MAX_USES;
		     u++)
			l->uses[l->n++] = x->costs.uses[u];
		any |= !parts->lacks[i];
		if (i < PART_COMPUTE)
			l->n_access = l->n;
	}
	return any && !is_too_slow(s);
}

/* Put the uses of the access first: those on the ports of a plain one. */
static void access_first(struct ports_search *s)
{
	const struct parts *parts = &s->parts;
	struct use_list *l = &s->l;

	l->n_access = parts->does[PART_COMPUTE] ? 0 : l->n;
	for (int i = 0; parts->does[PART_COMPUTE] && i < PART_COMPUTE; i++) {
		const struct completed_form *x =
			parts->does[i] ? part_of(s, (enum part)i) : NULL;

		for (size_t v = 0; x && v < x->costs.n_uses; v++)
			for (size_t u = l->n_access; u < l->n; u++) {
				struct model_use use = l->uses[u];

				if (use.ports != x->costs.uses[v].ports)
					continue;
				l->uses[u] = l->uses[l->n_access];
				l->uses[l->n_access++] = use;
				break;
			}
	}
}

static bool take_list(const struct model_form *x, struct use_list *l)
{
	if (x->n_uses > MAX_USES)
		return false;
	l->n = x->n_uses;
	if (x->n_uses > 0)
		memcpy(l->uses, x->uses, x->n_uses * sizeof(*x->uses));
	return true;
}

static bool of_own(struct ports_search *s)
{
	struct completed_form *f = s->f;

	if (!f->own || !f->own->has_ports ||
	    (f->own->mark.kind == MARK_OPEN) != s->open ||
	    !take_list(f->own, &s->l))
		return false;
	f->own_contradicted = is_too_slow(s);
	if (!f->own_contradicted)
		access_first(s);
	return !f->own_contradicted;
}

static bool of_class(struct ports_search *s)
{
	const struct completion *k = s->k;
	const struct model_form *x =
		k->given->n_ports > 0
			? class_stand_in(k, s->f->form, s->f->own, COST_PORTS)
			: NULL;

	if (!x || !take_list(x, &s->l) || is_too_slow(s))
		return false;
	access_first(s);
	s->l.like = x->name;
	return true;
}

/* Is the form one uop on one port in the tables, and does it take the cycle
 * that this port allows, as measured?  Then it keeps the port even if others on
 * it are faster. */
static bool is_as_slow_as_port(const struct completed_form *f)
{
	const struct model_form *t = f->table;
	const struct model_span *rate = &f->costs.throughput;

	return t->n_uses == 1 && t->uses[0].n_uops == 1 &&
	       model_ports_count(t->uses[0].ports) == 1 &&
	       f->origin[COST_THROUGHPUT].origin <= ORIGIN_CLASS &&
	       t->uses[0].cycles <= slower * rate->high &&
	       t->uses[0].cycles >= faster * rate->low;
}

static bool uses_refuted(const struct completion *k,
			 const struct completed_form *f)
{
	if (is_as_slow_as_port(f))
		return false;
	for (size_t u = 0; u < f->table->n_uses; u++)
		if (group_is_refuted(k, f->table->uses[u].ports))
			return true;
	return false;
}

static bool of_tables(struct ports_search *s)
{
	struct completed_form *f = s->f;

	if (!f->table || !f->table->has_ports || !take_list(f->table, &s->l))
		return false;
	f->table_contradicted =
		is_too_slow(s) || is_too_fast(s) || uses_refuted(s->k, f);
	if (f->table_contradicted || !translate(s->k, &s->l))
		return false;
	access_first(s);
	return true;
}

/* The layers of complete.h, in order. */
static const struct ports_layer {
	enum model_origin origin;
	bool (*find)(struct ports_search *s);
	bool measured, open;
} port_layers[] = {
	{ ORIGIN_MODEL, .find = of_own },
	{ ORIGIN_CLASS, .find = of_class },
	{ ORIGIN_PARTS, .find = of_parts, .measured = true },
	{ ORIGIN_TABLES, .find = of_tables },
	{ ORIGIN_MODEL, .find = of_own, .open = true },
	{ ORIGIN_TABLES, .find = of_parts },
};

static bool try_layer(struct ports_search *s, const struct ports_layer *layer)
{
	memset(s->parts.lacks, 0, sizeof(s->parts.lacks));
	s->measured = layer->measured;
	s->open = layer->open;
	s->l = (struct use_list){ .n = 0 };
	return layer->find(s);
}

/* Fill the ports; parts.lacks is what has none. */
static void find_ports(struct ports_search *s)
{
	struct completed_form *f = s->f;
	const struct use_list *l = &s->l;
	size_t i = 0;

	while (i < ARRAY_LEN(port_layers) && !try_layer(s, &port_layers[i]))
		i++;
	f->costs.has_ports = i < ARRAY_LEN(port_layers);
	f->costs.n_uses = 0;
	f->origin[COST_PORTS] = (struct cost_origin){ ORIGIN_ASSUMED, NULL };
	if (!f->costs.has_ports) {
		memcpy(s->parts.lacks, s->parts.does, sizeof(s->parts.lacks));
		return;
	}
	f->costs.uses =
		l->n > 0 ? arena_copy(s->k->a, l->uses, l->n * sizeof(*l->uses))
			 : NULL;
	f->costs.n_uses = l->n;
	f->n_access = l->n_access;
	f->origin[COST_PORTS] =
		(struct cost_origin){ port_layers[i].origin, l->like };
}

/* Cycles that the ports or the front end need for the form. */
static double bound_of(const struct completion *k,
		       const struct completed_form *f)
{
	const struct model_span *slots = &f->costs.slots;
	const struct model_span *width = &k->m.width;
	double ports = model_port_bound(f->costs.uses, f->costs.n_uses, NULL);

	return slots->has_value && width->has_value
		       ? fmax(ports, slots->low / width->high)
		       : ports;
}

/* Do the form's uses on the ports of a plain access explain less than that
 * access takes, which its own uses explain?  Then a unit or a port of the
 * access was not found for the form.  Nor was it if no plain access has ports. */
static bool access_lacks(const struct completion *k,
			 const struct completed_form *f, enum part part)
{
	const struct plain_access *x =
		complete_plain(k, f->form, part == PART_STORE, COST_PORTS);
	struct model_use uses[MAX_USES];
	model_ports ports = 0;
	size_t n = 0;

	if (f->origin[COST_PORTS].origin > ORIGIN_CLASS ||
	    (x && (x->form == f->form || !x->known->throughput.has_value)))
		return false;
	if (!x)
		return true;
	if (model_port_bound(x->known->uses, x->known->n_uses, NULL) <
	    faster * x->known->throughput.low)
		return false;
	for (size_t u = 0; u < x->known->n_uses; u++)
		ports |= x->known->uses[u].ports;
	for (size_t u = 0; u < f->costs.n_uses && n < MAX_USES; u++)
		if ((f->costs.uses[u].ports & ~ports) == 0)
			uses[n++] = f->costs.uses[u];
	return model_port_bound(uses, n, NULL) <
	       faster * x->known->throughput.low;
}

void complete_ports(struct completion *k, struct completed_form *f,
		    complete_other *complete)
{
	struct ports_search s = {
		.k = k,
		.f = f,
		.parts.does = { form_loads(f->form), form_stores(f->form),
				form_computes(f->form) ||
					completed_does_more(f) },
		.complete = complete,
	};
	const struct model_span *rate = &f->costs.throughput;
	const bool *does = s.parts.does;
	bool *lacks = s.parts.lacks;
	bool plain = !does[PART_COMPUTE];

	find_ports(&s);
	/* Ports that explain too little still bound the form, with its
	 * pools. */
	if (rate->has_value && bound_of(k, f) < explains * rate->low) {
		lacks[PART_COMPUTE] = !plain;
		lacks[PART_LOAD] |= plain && does[PART_LOAD];
		lacks[PART_STORE] |= plain && does[PART_STORE];
	}
	for (int part = PART_LOAD; part <= PART_STORE; part++)
		lacks[part] |= does[part] && !plain &&
			       access_lacks(k, f, (enum part)part);
	charge_all(&s);
}

const char *completed_pool_name(const struct completion *k, uint32_t pool)
{
	return pool >= POOL_FIRST && pool - POOL_FIRST < k->n_groups
		       ? k->groups[pool - POOL_FIRST].name
		       : NULL;
}
