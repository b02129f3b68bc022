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

/* The unions visited so far: a list that is searched linearly while it is
 * short, and by hash later. */
struct unions {
	size_t n;
	model_ports list[MAX_UNIONS];
	uint16_t slots[2 * MAX_UNIONS]; /* index in the list + 1; 0: empty */
};

static uint16_t *bound_slot_of(struct unions *u, model_ports ports)
{
	size_t at = (size_t)(ports * 0x9e3779b97f4a7c15ull >> 49);

	while (u->slots[at] != 0 && u->list[u->slots[at] - 1] != ports)
		at = (at + 1) % ARRAY_LEN(u->slots);
	return &u->slots[at];
}

static void add_union(struct unions *u, model_ports ports)
{
	enum { FEW = 32 };

	if (u->n < FEW) {
		for (size_t i = 0; i < u->n; i++)
			if (u->list[i] == ports)
				return;
	} else {
		uint16_t *slot;

		if (u->n == FEW) {
			memset(u->slots, 0, sizeof(u->slots));
			for (size_t i = 0; i < FEW; i++)
				*bound_slot_of(u, u->list[i]) =
					(uint16_t)(i + 1);
		}
		slot = bound_slot_of(u, ports);
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
	struct unions u;
	model_ports best_set = 0;
	size_t n_loads = bound_merge(uses, n, loads);
	double best = 0;

	u.n = 0;
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
	if (ret_set != NULL)
		*ret_set = best_set;
	return best;
}
