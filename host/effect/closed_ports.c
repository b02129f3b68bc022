/* Ports closed to vector instructions while a 512-bit one is in flight.
 *
 * Intel, "Optimization Reference Manual", on Skylake Server: 512-bit
 * instructions use ports 0 and 1 together, and no vector instruction uses port
 * 1 while one is in flight.  The tables show such a port: of the forms of one
 * uop on narrower vectors at least one in SHARE uses it, and of the 512-bit
 * ones SHARE times fewer.  Tables have wrong entries: those of Skylake Server
 * and Ice Lake have some 512-bit forms on port 1. */
#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_closed_ports;

/* ---- model --------------------------------------------------------------- */

enum {
	NARROW_BITS = 128, /* the narrowest register that counts */
	ENOUGH = 20,       /* the least number of forms of either width */
	/* Forms that only narrow registers have, moves to general ones for
	 * example, are fewer. */
	SHARE = 10,
};

/* Of the tables, and the corresponding ones of the completed model; 0: none. */
struct closed {
	model_ports of_tables, ports;
};

static const struct closed *closed_of(const struct completion *k)
{
	return k->effects[effect_number(&effect_closed_ports)];
}

struct port_count {
	uint32_t n_narrow, n_wide;
	uint32_t narrow[MODEL_MAX_PORTS], wide[MODEL_MAX_PORTS];
};

/* Does it close them?  Loads and stores of 512 bits do as well, mostly: seen on
 * an Emerald Rapids. */
static bool is_wide(const struct completion *k, const struct form *f)
{
	unsigned bits = k->c->isa->closing_bits;

	return bits > 0 && f->vector_state &&
	       (form_bits(k->c, f) >= bits || 8 * f->data_bytes >= (int)bits ||
		8 * f->access_bytes == (int)bits);
}

/* Count a form of one uop without a memory access. */
static void count_form(const struct completion *k, const struct form *f,
		       const struct model_form *x, struct port_count *n)
{
	bool wide = is_wide(k, f);

	if (!f->vector_state || form_bits(k->c, f) < NARROW_BITS ||
	    form_loads(f) || form_stores(f) || x->n_uses != 1 ||
	    x->uses[0].n_uops != 1)
		return;
	*(wide ? &n->n_wide : &n->n_narrow) += 1;
	for (model_ports p = x->uses[0].ports; p != 0; p &= p - 1)
		(wide ? n->wide : n->narrow)[__builtin_ctzll(p)]++;
}

/* From the tables or, without them, from the model. */
static void complete(const struct completion *k, void *ret)
{
	const struct model *m = k->tables ? k->tables : k->given;
	struct port_count n = { .n_wide = 0 };
	model_ports closed = 0;
	size_t at = 0;

	for (size_t i = 0; k->c->isa->closing_bits > 0 && i < m->n_forms; i++) {
		const struct form *f =
			complete_next(k->c, &at, m->forms[i].name);

		if (f)
			count_form(k, f, &m->forms[i], &n);
	}
	if (n.n_wide < ENOUGH || n.n_narrow < ENOUGH)
		return;
	for (size_t p = 0; p < MODEL_MAX_PORTS; p++) {
		uint64_t narrow = (uint64_t)n.narrow[p] * n.n_wide;
		uint64_t wide = (uint64_t)n.wide[p] * n.n_narrow;

		if (SHARE * n.narrow[p] < n.n_narrow || SHARE * wide >= narrow)
			continue;
		closed |= (model_ports)1 << p;
	}
	/* Several: the tables are not of a core with such registers. */
	if (model_ports_count(closed) != 1)
		return;
	*(struct closed *)ret =
		(struct closed){ closed, k->mapped[__builtin_ctzll(closed)] };
}

/* ---- pools --------------------------------------------------------------- */

/* Does the single uop of the form, apart from its access, account for its
 * throughput? Its ports in the tables; 0: no. */
static model_ports only_ports(const struct completion *k,
			      const struct completed_form *f)
{
	const struct model_use *only = NULL;

	for (size_t u = 0; f->table && u < f->table->n_uses; u++) {
		const struct model_use *use = &f->table->uses[u];

		if ((use->ports & ~k->memory) == 0)
			continue;
		if (only || use->n_uops != 1)
			return 0;
		only = use;
	}
	return only && f->costs.throughput.low <=
				       slower / model_ports_count(only->ports)
		       ? only->ports
		       : 0;
}

static const struct port_group *group_of(const struct completion *k,
					 uint32_t pool)
{
	return pool >= POOL_FIRST && pool - POOL_FIRST < k->n_groups
		       ? &k->groups[pool - POOL_FIRST]
		       : NULL;
}

/* The pool of this pool's set of ports minus the closed ones; unchanged if none
 * is left, if it is of no set, or if the tables have no such smaller set. */
static uint32_t open_pool(const struct completion *k, uint32_t pool)
{
	const struct port_group *g = group_of(k, pool);
	model_ports open = g ? g->ports & ~closed_of(k)->of_tables : 0;

	for (size_t i = 0; open != 0 && i < k->n_groups; i++)
		if (k->groups[i].ports == open && k->groups[i].name)
			return POOL_FIRST + (uint32_t)i;
	return pool;
}

/* Factor by which the form's charge to a pool grows without these ports; 1: its
 * ports are unknown, or no port would be left. */
static double closed_factor(const struct completion *k,
			    const struct completed_form *f, uint32_t pool)
{
	const struct port_group *g = group_of(k, pool);
	model_ports ports = g                    ? g->ports
			    : pool >= POOL_FIRST ? only_ports(k, f)
						 : 0;
	model_ports open = ports & ~closed_of(k)->of_tables;

	return open == 0 ? 1
			 : (double)model_ports_count(ports) /
				   model_ports_count(open);
}

/* ---- loops --------------------------------------------------------------- */

static bool is_vector(const struct op *o)
{
	return op_is_executed(o) && o->insn->instance.form->vector_state;
}

static bool closes(const struct body *b)
{
	return b->acts[effect_number(&effect_closed_ports)];
}

/* If the loop has both 512-bit and narrower vector instructions, remove the
 * ports that the former close from each use of a vector instruction, unless
 * none would be left to that use. */
static void bind(struct body *b)
{
	const struct completion *k = b->completion;
	model_ports closed = closed_of(k)->ports;
	bool wide = false, narrow = false;

	for (size_t i = 0; closed != 0 && i < b->n; i++) {
		const struct form *f = b->ops[i].insn->instance.form;

		if (!is_vector(&b->ops[i]))
			continue;
		wide |= is_wide(k, f);
		narrow |= !is_wide(k, f);
	}
	b->acts[effect_number(&effect_closed_ports)] = wide && narrow;
	for (size_t i = 0; closes(b) && i < b->n; i++)
		if (is_vector(&b->ops[i]) && b->ops[i].n_uses > 0)
			op_remove_ports(b, &b->ops[i], closed);
}

/* Is it on the ports that are left anyway? */
static bool is_charged_to(const struct op *o, uint32_t pool)
{
	for (size_t i = 0; i < o->costs->n_charges; i++)
		if (o->costs->charges[i].pool == pool)
			return true;
	return false;
}

/* A pool of a set of ports stays as it is, because general instructions that
 * share it keep all its ports; that of a scheduling class grows. */
static void charge(const struct body *b, const struct op *o,
		   const struct model_charge *x, struct model_charge *ret)
{
	const struct completion *k = b->completion;

	if (!closes(b) ||
	    (o && (!is_vector(o) || is_wide(k, o->insn->instance.form))))
		return;
	ret->pool = open_pool(k, x->pool);
	if (!o)
		return;
	ret->cycles = x->cycles * closed_factor(k, o->costs, x->pool);
	if (ret->cycles <= x->cycles ||
	    (ret->pool == x->pool ? completed_pool_name(k, x->pool) != NULL
				  : is_charged_to(o, ret->pool)))
		ret->cycles = 0;
}

static const char *closed_text(const struct body *b)
{
	return closes(b)
		       ? model_ports_text(b->a, completed_model(b->completion),
					  closed_of(b->completion)->ports)
		       : NULL;
}

static const struct effect_note note = {
	.key = "closed_to_vectors",
	.before = "vector instructions do not use ",
	.behind = ", because the loop has 512-bit instructions",
	.value = closed_text,
};

const struct effect effect_closed_ports = {
	.name = "closed_ports",
	.completed_bytes = sizeof(struct closed),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
	.charge = charge,
	.note = &note,
};
