/* Ports that the loop does not use, and pools as pseudo ports of the body.
 *
 * A form whose ports are unknown, or explain less than its throughput, needs
 * pools (host/model/complete.h). Every other form of the body that has a charge
 * to such a pool shares it. Ports that the body does not use make room. */
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/predict/bind.h"

/* ---- charges that effects change ----------------------------------------- */

/* See effect.charge; the first effect that changes it counts. */
static struct model_charge changed_charge(const struct body *b,
					  const struct op *o,
					  const struct model_charge *x)
{
	struct model_charge ret = { .pool = x->pool };

	for (size_t i = 0; effects[i] && ret.cycles == 0; i++) {
		ret.pool = x->pool;
		if (effects[i]->charge)
			effects[i]->charge(b, o, x, &ret);
	}
	return ret;
}

/* ---- which pools ------------------------------------------------------- */

enum { MAX_POOLS = 48 };

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

		for (size_t k = 0; op_is_executed(o) && k < o->costs->n_charges;
		     k++) {
			const struct model_charge *x = &o->costs->charges[k];

			if (x->needs && p->n < MAX_POOLS &&
			    !find_pool(p, x->pool))
				p->list[p->n++].id = x->pool;
		}
	}
}

/* Add, for each pool, those to which effects move charges. */
static void find_others(struct pools *p)
{
	size_t n = p->n;

	for (size_t k = 0; effects[k]; k++)
		for (size_t i = 0; effects[k]->charge && i < n; i++) {
			struct model_charge x = { .pool = p->list[i].id };
			struct model_charge other = x;

			effects[k]->charge(p->b, NULL, &x, &other);
			if (p->n < MAX_POOLS && !find_pool(p, other.pool))
				p->list[p->n++].id = other.pool;
		}
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
			     op_is_executed(o) && x < o->costs->n_charges; x++)
				if (o->costs->charges[x].pool == id &&
				    o->costs->charges[x].needs)
					name = o->costs->form->mnemonic;
		}
		p->list[i].port = add_port(p, name);
	}
}

/* ---- charges ----------------------------------------------------------- */

static void add_pool_use(struct op *o, struct model_use *uses, size_t port,
			 double cycles)
{
	if (port < MODEL_MAX_PORTS && cycles > 0)
		uses[o->n_uses++] = (struct model_use){
			.ports = (model_ports)1 << port,
			.n_uops = 1,
			.cycles = cycles,
		};
}

/* Up to two uses. */
static void add_charge(struct pools *p, struct op *o, struct model_use *uses,
		       const struct model_charge *charge)
{
	const struct body_pool *own = find_pool(p, charge->pool), *open;
	struct model_charge more;

	if (!own)
		return;
	more = changed_charge(p->b, o, charge);
	open = find_pool(p, more.pool);
	if (open != own || more.cycles == 0)
		add_pool_use(o, uses, own->port, charge->cycles);
	if (open)
		add_pool_use(o, uses, open->port, more.cycles);
}

/* The access comes first, in pools and in ports. */
static void fill_op(struct pools *p, struct op *o, size_t mixed)
{
	const struct completed_form *f = o->costs;
	struct model_use *uses = ARENA_ARRAY(
		p->b->a, struct model_use, 2 * (f->n_charges + 1) + o->n_uses);
	const struct model_use *ports = o->uses;
	size_t n_ports = o->n_uses;

	o->uses = uses;
	o->n_uses = 0;
	for (size_t i = 0; i < f->n_charges; i++) {
		const struct body_pool *x = find_pool(p, f->charges[i].pool);

		if (x && x->id < POOL_FIRST)
			add_pool_use(o, uses, x->port, f->charges[i].cycles);
	}
	if (p->has_contention)
		add_pool_use(o, uses, mixed,
			     p->cost.load * f->load_cycles +
				     p->cost.store * f->store_cycles);
	o->n_access += o->n_uses;
	for (size_t u = 0; u < n_ports; u++)
		uses[o->n_uses++] = ports[u];
	for (size_t i = 0; i < f->n_charges; i++)
		if (f->charges[i].pool >= POOL_FIRST)
			add_charge(p, o, uses, &f->charges[i]);
}

void bind_pools(struct body *b)
{
	struct pools p = { .b = b };
	size_t mixed = MODEL_MAX_PORTS;

	b->n_ports = b->model->n_ports;
	find_needed(&p);
	find_others(&p);
	for (size_t i = 0; effects[i] && !p.has_contention; i++)
		p.has_contention = effects[i]->contention &&
				   effects[i]->contention(b, &p.cost);
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
		if (op_is_executed(&b->ops[i]))
			fill_op(&p, &b->ops[i], mixed);
	b->model = p.m;
}

/* ---- fused pairs ------------------------------------------------------- */

/* Are these the ports of a pool? */
static bool is_pool(const struct body *b, const struct model_use *use)
{
	return b->n_ports < MODEL_MAX_PORTS && use->ports >> b->n_ports != 0;
}

/* Give up the ports of the first instruction of a fused pair, and the pools
 * that the second uses as well. Other pools stay: the second does not say what
 * units the pair shares with forms without ports. */
static void give_up_ports(struct body *b, struct op *first,
			  const struct op *second)
{
	struct model_use *kept =
		ARENA_ARRAY(b->a, struct model_use, first->n_uses + 1);
	model_ports taken = 0;
	size_t n = 0;

	for (size_t u = 0; u < second->n_uses; u++)
		taken |= second->uses[u].ports;
	for (size_t u = 0; u < first->n_uses; u++)
		if (is_pool(b, &first->uses[u]) &&
		    (first->uses[u].ports & taken) == 0)
			kept[n++] = first->uses[u];
	first->uses = kept;
	first->n_uses = n;
}

/* Does the instruction begin a line of code?  Only linked code has known
 * addresses. */
static bool begins_line(const struct body *b, const struct op *o)
{
	return b->program->placed && o->insn->address % PROGRAM_LINE == 0;
}

/* Macro-fusion: the second instruction of a pair keeps its ports, and the first
 * gives its own up.  A branch that begins a line does not fuse: Intel 64
 * Optimization Reference Manual, 3.4.2.2; assumed for others, which keep
 * decoded instructions by lines, too. */
void bind_fused(struct body *b)
{
	const struct isa_loop *rules = b->program->c->isa->loop;

	for (size_t i = 1; rules->fuses && i < b->n; i++) {
		struct op *first = &b->ops[i - 1], *second = &b->ops[i];

		if (!first->insn->instance.form ||
		    !second->insn->instance.form || begins_line(b, second) ||
		    !rules->fuses(&first->insn->instance,
				  &second->insn->instance))
			continue;
		second->fused = true;
		second->slots = 0;
		second->decoded = 0;
		if (second->n_uses == 0)
			continue;
		/* A load in the first instruction still needs its ports. */
		if (!first->load)
			give_up_ports(b, first, second);
	}
}
