/* Pools as pseudo ports of a body.
 *
 * A form whose ports are unknown, or explain less than its throughput, needs
 * pools (host/model/complete.h). Every other form of the body that has a charge
 * to such a pool shares it. Ports that the body does not use make room. */
#include <string.h>

#include "host/predict/body.h"
#include "host/predict/load_store_mix.h"

enum { ROOM = 24, MAX_POOLS = 48 };

struct body_pool {
	uint32_t id;
	size_t port;
};

struct pools {
	struct body *b;
	struct model *m; /* a copy of the model with pseudo ports */
	struct model_port *ports;
	size_t n;
	struct body_pool list[MAX_POOLS];
	bool has_contention; /* loads and stores also share a pool */
	struct load_store_cost cost;
};

bool op_is_plain_access(const struct op *o)
{
	if (o->load == o->store)
		return false;
	for (size_t i = 0; o->load && i < o->n_reads; i++)
		if (!o->reads[i].address)
			return false;
	return o->load || o->n_writes == 0;
}

bool op_waits_with_vectors(const struct op *o)
{
	const struct form *f = o->insn->instance.form;

	return f && f->vector_state && !o->eliminated && !o->is_zero_idiom &&
	       (o->store || !op_is_plain_access(o));
}

bool op_writes_vectors(const struct op *o)
{
	for (size_t w = 0; w < o->n_writes; w++) {
		unsigned bank = o->writes[w].unit / BODY_BANK_UNITS;

		if (bank == BANK_VECTOR || bank == BANK_FP)
			return true;
	}
	return false;
}

/* ---- which pools ------------------------------------------------------- */

static bool is_charged(const struct op *o)
{
	return o->costs && !o->is_zero_idiom && !o->eliminated;
}

static struct body_pool *find_pool(struct pools *p, uint32_t id)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->list[i].id == id)
			return &p->list[i];
	return NULL;
}

static void find_needed(struct pools *p)
{
	for (size_t i = 0; i < p->b->n; i++) {
		const struct op *o = &p->b->ops[i];

		for (size_t k = 0; is_charged(o) && k < o->costs->n_charges;
		     k++) {
			const struct model_charge *x = &o->costs->charges[k];

			if (x->needs && p->n < MAX_POOLS &&
			    !find_pool(p, x->pool))
				p->list[p->n++].id = x->pool;
		}
	}
}

/* Add, for each pool, that of its set without the closed ports. */
static void find_open(struct pools *p)
{
	size_t n = p->b->closes ? p->n : 0;

	for (size_t i = 0; i < n && p->n < MAX_POOLS; i++) {
		uint32_t open =
			completed_open_pool(p->b->completion, p->list[i].id);

		if (!find_pool(p, open))
			p->list[p->n++].id = open;
	}
}

static void find_contention(struct pools *p)
{
	struct body *b = p->b;
	struct access_cycles *list =
		ARENA_ARRAY(b->a, struct access_cycles, b->n);

	for (size_t i = 0; i < b->n && b->model->n_mixes > 0; i++) {
		const struct op *o = &b->ops[i];

		list[i].form = o->insn->instance.form;
		if (is_charged(o)) {
			list[i].loads = o->costs->load_cycles;
			list[i].stores = o->costs->store_cycles;
		}
	}
	p->has_contention = load_store_cost_find(b, list, b->n, &p->cost);
}

/* ---- ports ------------------------------------------------------------- */

/* Remove ports that the body does not use, to make room for pools. */
static void keep_used(struct pools *p)
{
	const struct model *from = p->b->model;
	uint8_t place[MODEL_MAX_PORTS] = { 0 };
	model_ports used = 0;
	model_ports exist = from->n_ports < MODEL_MAX_PORTS
				    ? ((model_ports)1 << from->n_ports) - 1
				    : ~(model_ports)0;

	for (size_t i = 0; i < p->b->n; i++)
		for (size_t u = 0; u < p->b->ops[i].n_uses; u++)
			used |= p->b->ops[i].uses[u].ports;
	p->m->n_ports = 0;
	for (size_t k = 0; k < from->n_ports; k++)
		if (used >> k & 1) {
			place[k] = (uint8_t)p->m->n_ports;
			p->ports[p->m->n_ports++] = from->ports[k];
		}
	for (size_t i = 0; i < p->b->n; i++) {
		struct op *o = &p->b->ops[i];
		struct model_use *uses =
			arena_copy(p->b->a, o->uses, o->n_uses * sizeof(*uses));

		for (size_t u = 0; u < o->n_uses; u++) {
			model_ports old = uses[u].ports & exist;

			uses[u].ports = 0;
			for (; old != 0; old &= old - 1)
				uses[u].ports |= (model_ports)1
						 << place[__builtin_ctzll(old)];
		}
		o->uses = uses;
	}
}

/* The pseudo port of this name; MODEL_MAX_PORTS: there is no room. */
static size_t add_port(struct pools *p, const char *name)
{
	if (p->m->n_ports == MODEL_MAX_PORTS)
		return MODEL_MAX_PORTS;
	p->ports[p->m->n_ports].name = name;
	return p->m->n_ports++;
}

/* A pool without a name is named after the first instruction that needs it. */
static void open_pools(struct pools *p)
{
	static const char *const names[] = {
		[POOL_LOADS] = "loads", [POOL_STORES] = "stores"
	};

	for (size_t i = 0; i < p->n; i++) {
		uint32_t id = p->list[i].id;
		const char *name =
			id < POOL_FIRST
				? names[id]
				: completed_pool_name(p->b->completion, id);

		for (size_t k = 0; !name && k < p->b->n; k++) {
			const struct op *o = &p->b->ops[k];

			for (size_t x = 0;
			     is_charged(o) && x < o->costs->n_charges; x++)
				if (o->costs->charges[x].pool == id &&
				    o->costs->charges[x].needs)
					name = o->costs->form->mnemonic;
		}
		p->list[i].port = add_port(p, name);
	}
}

/* ---- charges ----------------------------------------------------------- */

static void add_pool_use(struct model_use *uses, size_t *n, size_t port,
			 double cycles)
{
	if (port < MODEL_MAX_PORTS && cycles > 0 && *n < ROOM)
		uses[(*n)++] = (struct model_use){
			.ports = (model_ports)1 << port,
			.n_uops = 1,
			.cycles = cycles,
		};
}

/* Up to two uses. */
static void add_charge_uses(struct pools *p, const struct op *o,
			    const struct model_charge *charge,
			    const struct body_pool *own, struct model_use *uses,
			    size_t *n)
{
	struct model_charge more = op_closed_charge(p->b, o, charge);
	const struct body_pool *open = find_pool(p, more.pool);

	if (open != own || more.cycles == 0)
		add_pool_use(uses, n, own->port, charge->cycles);
	if (open)
		add_pool_use(uses, n, open->port, more.cycles);
}

/* The access comes first, in pools and in ports. */
static void fill_op(struct pools *p, struct op *o, size_t mixed)
{
	struct model_use *uses = ARENA_ARRAY(p->b->a, struct model_use,
					     2 * (size_t)ROOM + o->n_uses);
	const struct completed_form *f = o->costs;
	size_t n = 0, n_access;

	for (size_t i = 0; i < f->n_charges; i++) {
		struct body_pool *x = find_pool(p, f->charges[i].pool);

		if (x && x->id < POOL_FIRST)
			add_pool_use(uses, &n, x->port, f->charges[i].cycles);
	}
	if (p->has_contention)
		add_pool_use(uses, &n, mixed,
			     p->cost.load * f->load_cycles +
				     p->cost.store * f->store_cycles);
	n_access = n + o->n_access;
	for (size_t u = 0; u < o->n_uses; u++)
		uses[n++] = o->uses[u];
	for (size_t i = 0, more = 0; i < f->n_charges && more < ROOM; i++) {
		struct body_pool *x = find_pool(p, f->charges[i].pool);

		if (x && x->id >= POOL_FIRST) {
			add_charge_uses(p, o, &f->charges[i], x, uses + n,
					&more);
			n += more;
			more = 0;
		}
	}
	o->n_access = n_access;
	o->uses = uses;
	o->n_uses = n;
}

void body_pool(struct body *b)
{
	struct pools p = { .b = b };
	size_t mixed = MODEL_MAX_PORTS;

	b->n_ports = b->model->n_ports;
	find_needed(&p);
	find_open(&p);
	find_contention(&p);
	if (p.n == 0 && !p.has_contention)
		return;
	p.m = arena_copy(b->a, b->model, sizeof(*p.m));
	p.ports = ARENA_ARRAY(b->a, struct model_port, MODEL_MAX_PORTS);
	p.m->ports = p.ports;
	keep_used(&p);
	b->n_ports = p.m->n_ports;
	open_pools(&p);
	if (p.has_contention)
		mixed = add_port(&p, LOAD_STORE_POOL);
	for (size_t i = 0; i < b->n; i++)
		if (is_charged(&b->ops[i]))
			fill_op(&p, &b->ops[i], mixed);
	b->model = p.m;
}
