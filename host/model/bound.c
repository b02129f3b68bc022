/* Port pressure as a formula.
 *
 * Sharing uops among ports is a flow problem. By Hall's theorem its optimum is
 * the maximum over sets Q of ports of (cycles confined to Q) / |Q|. Only unions
 * of the sets that occur can be the maximum: any other Q can be reduced to the
 * sets inside it, which removes ports but no cycles. If no set connects two
 * parts of a union, one of the parts alone is at least as busy. */
#include "host/model/model.h"

#include <string.h>

enum {
	/* Unions to visit, at most. Real loops have about a dozen sets, mostly
	 * nested, and some tens of unions. */
	MAX_UNIONS = 1 << 14,
	FEW_UNIONS = 32,
	MAX_SETS = 256,
};

unsigned model_ports_count(model_ports ports)
{
	unsigned n = 0;

	for (; ports != 0; ports &= ports - 1)
		n++;
	return n;
}

struct port_load {
	model_ports ports;
	double cycles;
};

/* Combine uses with the same set. Sets beyond MAX_SETS are merged into the last
 * one, whose set grows. The bound stays valid but becomes weaker. */
static size_t bound_merge(const struct model_use *uses, size_t n,
			  struct port_load *loads)
{
	size_t n_loads = 0;

	for (size_t i = 0; i < n; i++) {
		size_t at = 0;

		if (uses[i].ports == 0)
			continue;
		while (at < n_loads && loads[at].ports != uses[i].ports)
			at++;
		if (at == MAX_SETS)
			loads[--at].ports |= uses[i].ports;
		else if (at == n_loads)
			loads[n_loads++] =
				(struct port_load){ .ports = uses[i].ports };
		loads[at].cycles += uses[i].n_uops * uses[i].cycles;
	}
	return n_loads;
}

/* More unions than a few are found by hash. */
struct many_unions {
	model_ports list[MAX_UNIONS];
	uint16_t slots[2 * MAX_UNIONS]; /* index in the list + 1; 0: empty */
};

/* The unions visited so far. */
struct unions {
	size_t n;
	model_ports *list; /* few, or that of many */
	model_ports few[FEW_UNIONS];
	struct many_unions *many; /* NULL: the list is searched linearly */
};

static uint16_t *bound_slot_of(struct many_unions *m, model_ports ports)
{
	size_t at = (size_t)(ports * 0x9e3779b97f4a7c15ull >> 49);

	while (m->slots[at] != 0 && m->list[m->slots[at] - 1] != ports)
		at = (at + 1) % ARRAY_LEN(m->slots);
	return &m->slots[at];
}

static void begin_many(struct unions *u)
{
	struct many_unions *m = held_realloc(NULL, 1, sizeof(*m));

	memset(m->slots, 0, sizeof(m->slots));
	for (size_t i = 0; i < u->n; i++) {
		m->list[i] = u->few[i];
		*bound_slot_of(m, m->list[i]) = (uint16_t)(i + 1);
	}
	u->many = m;
	u->list = m->list;
}

static void add_union(struct unions *u, model_ports ports)
{
	if (!u->many) {
		for (size_t i = 0; i < u->n; i++)
			if (u->few[i] == ports)
				return;
		if (u->n == FEW_UNIONS)
			begin_many(u);
	}
	if (u->many) {
		uint16_t *slot = bound_slot_of(u->many, ports);

		if (*slot != 0)
			return;
		*slot = (uint16_t)(u->n + 1);
	}
	u->list[u->n++] = ports;
}

/* All ports of the sets that overlap with these, directly or through others. */
static model_ports bound_reach(const struct port_load *loads, size_t n,
			       model_ports ports)
{
	model_ports before = 0;

	while (before != ports) {
		before = ports;
		for (size_t i = 0; i < n; i++)
			if (loads[i].ports & ports)
				ports |= loads[i].ports;
	}
	return ports;
}

static void add_unions(struct unions *u, model_ports ports, model_ports near)
{
	size_t before = u->n;

	for (size_t i = 0; i < before && u->n < MAX_UNIONS; i++)
		if (u->list[i] & near)
			add_union(u, u->list[i] | ports);
	if (u->n < MAX_UNIONS)
		add_union(u, ports);
}

static double bound_confined(const struct port_load *loads, size_t n,
			     model_ports set)
{
	double cycles = 0;

	for (size_t i = 0; i < n; i++)
		if ((loads[i].ports & ~set) == 0)
			cycles += loads[i].cycles;
	return cycles / model_ports_count(set);
}

double model_port_bound(const struct model_use *uses, size_t n,
			model_ports *ret_set)
{
	struct port_load loads[MAX_SETS];
	struct unions u = { .n = 0 };
	model_ports best_set = 0;
	size_t n_loads = bound_merge(uses, n, loads);
	double best = 0;

	u.list = u.few;
	for (size_t i = 0; i < n_loads; i++)
		add_unions(&u, loads[i].ports,
			   bound_reach(loads, n_loads, loads[i].ports));
	for (size_t i = 0; i < u.n; i++) {
		double cycles = bound_confined(loads, n_loads, u.list[i]);
		bool tie = cycles > best * (1 - 1e-12) &&
			   model_ports_count(u.list[i]) <
				   model_ports_count(best_set);

		if (cycles > best * (1 + 1e-12) || tie) {
			best = cycles > best ? cycles : best;
			best_set = u.list[i];
		}
	}
	held_free(u.many);
	if (ret_set != NULL)
		*ret_set = best_set;
	return best;
}
