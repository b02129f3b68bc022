/* Port pressure as a formula.
 *
 * Sharing uops among ports is a flow problem; by the theorem of Hall its
 * optimum is max over sets Q of ports of (cycles that must go to Q) / |Q|.
 * Only unions of the sets that occur can be the maximum: any other Q loses
 * ports without losing cycles when cut down to the sets inside it. */
#include "host/model/model.h"

enum {
	/* Unions looked at.  Real loops have a dozen sets, mostly nested: some
	 * tens of unions. */
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

struct load {
	model_ports ports;
	double cycles;
};

/* One entry per set; those beyond MAX_SETS join the last, whose set grows: a
 * bound that is still true, only weaker. */
static size_t merge(const struct model_use *uses, size_t n, struct load *loads)
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
				(struct load){ .ports = uses[i].ports };
		loads[at].cycles += uses[i].n_uops * uses[i].cycles;
	}
	return n_loads;
}

static size_t add_unions(model_ports *unions, size_t n, model_ports ports)
{
	size_t before = n;

	for (size_t i = 0; i <= before && n < MAX_UNIONS; i++) {
		model_ports joined = i < before ? unions[i] | ports : ports;
		size_t at = 0;

		while (at < n && unions[at] != joined)
			at++;
		if (at == n)
			unions[n++] = joined;
	}
	return n;
}

static double confined(const struct load *loads, size_t n, model_ports set)
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
	struct load loads[MAX_SETS];
	model_ports unions[MAX_UNIONS], best_set = 0;
	size_t n_loads = merge(uses, n, loads), n_unions = 0;
	double best = 0;

	for (size_t i = 0; i < n_loads; i++)
		n_unions = add_unions(unions, n_unions, loads[i].ports);
	for (size_t i = 0; i < n_unions; i++) {
		double cycles = confined(loads, n_loads, unions[i]);
		bool tie = cycles > best * (1 - 1e-12) &&
			   model_ports_count(unions[i]) <
				   model_ports_count(best_set);

		if (cycles > best * (1 + 1e-12) || tie) {
			best = cycles > best ? cycles : best;
			best_set = unions[i];
		}
	}
	if (ret_set != NULL)
		*ret_set = best_set;
	return best;
}
