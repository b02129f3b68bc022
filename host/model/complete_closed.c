/* Ports closed to vector instructions while a 512-bit one is in flight.
 *
 * Intel, "Optimization Reference Manual", on Skylake Server: 512-bit
 * instructions use ports 0 and 1 together, and no vector instruction uses port
 * 1 while one is in flight.  The tables show such a port: of the forms of one
 * uop on narrower vectors at least one in SHARE uses it, and of the 512-bit
 * ones SHARE times fewer.  Tables have wrong entries: those of Skylake Server
 * and Ice Lake have some 512-bit forms on port 1. */
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/isa.h"
#include "host/model/complete_read.h"

enum {
	NARROW_BITS = 128, /* the narrowest register that counts */
	ENOUGH = 20,       /* the least number of forms of either width */
	/* Forms that only narrow registers have, moves to general ones for
	 * example, are fewer. */
	SHARE = 10,
};

struct port_count {
	uint32_t n_narrow, n_wide;
	uint32_t narrow[MODEL_MAX_PORTS], wide[MODEL_MAX_PORTS];
};

bool completed_closes(const struct completion *k, const struct form *f)
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
	bool wide = completed_closes(k, f);

	if (!f->vector_state || form_bits(k->c, f) < NARROW_BITS ||
	    form_loads(f) || form_stores(f) || x->n_uses != 1 ||
	    x->uses[0].n_uops != 1)
		return;
	*(wide ? &n->n_wide : &n->n_narrow) += 1;
	for (model_ports p = x->uses[0].ports; p != 0; p &= p - 1)
		(wide ? n->wide : n->narrow)[__builtin_ctzll(p)]++;
}

void complete_open_closed(struct completion *k, const struct known_form *list)
{
	struct port_count n = { .n_wide = 0 };
	model_ports closed = 0;

	for (; k->c->isa->closing_bits > 0 && list->form; list++)
		count_form(k, list->form, list->own, &n);
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
	k->closed_of_tables = closed;
	k->closed = k->mapped[__builtin_ctzll(closed)];
}

model_ports completed_closed(const struct completion *k)
{
	return k->closed;
}

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

uint32_t completed_open_pool(const struct completion *k, uint32_t pool)
{
	const struct port_group *g = group_of(k, pool);
	model_ports open = g ? g->ports & ~k->closed_of_tables : 0;

	for (size_t i = 0; open != 0 && i < k->n_groups; i++)
		if (k->groups[i].ports == open && k->groups[i].name)
			return POOL_FIRST + (uint32_t)i;
	return pool;
}

double completed_closed_factor(const struct completion *k,
			       const struct completed_form *f, uint32_t pool)
{
	const struct port_group *g = group_of(k, pool);
	model_ports ports = g                    ? g->ports
			    : pool >= POOL_FIRST ? only_ports(k, f)
						 : 0;
	model_ports open = ports & ~k->closed_of_tables;

	return open == 0 ? 1
			 : (double)model_ports_count(ports) /
				   model_ports_count(open);
}
