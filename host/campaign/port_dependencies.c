/* How long forms keep the registers that they overwrite; see port_searching.h.
 *
 * An instance that reads what it overwrites depends on the instance before on
 * the same register.  The latency is measured as a chain, once for each such
 * operand.  With it a mix gets as many registers for each form as it needs, and
 * a mix that is slow for want of registers is not taken for one that lacks
 * ports. */
#include <math.h>

#include "host/campaign/port_searching.h"

enum { MAX_LATENCY = 10000 };

/* A chain through an operand that a form reads and overwrites. */
struct port_chain {
	size_t form; /* of the list */
	struct experiment experiment;
};

/* All chains, owned by `a`.  Returns how many. */
static size_t port_chains(struct arena *a, const struct plan_ports_form *forms,
			  size_t n_forms, struct port_chain **ret)
{
	struct port_chain *list = ARENA_ARRAY(a, struct port_chain,
					      n_forms * FORM_MAX_OPERANDS + 1);
	size_t n = 0;

	for (size_t i = 0; i < n_forms; i++) {
		const struct form *f = forms[i].form;

		for (int k = 0; k < f->n_explicit; k++) {
			int root = f->operands[k].tied_to;

			if (root < 0 || f->operands[k].kind != OPERAND_REG)
				continue;
			list[n++] = (struct port_chain){
				i,
				experiment_of(EXPERIMENT_LATENCY, f, k, root),
			};
		}
	}
	*ret = list;
	return n;
}

/* The longest of a form's chains counts. */
static void note_chain(const struct port_chain *chain,
		       const struct ports_value *v, uint16_t *latencies)
{
	double cycles = v->has_value ? ceil(v->cycles - 0.1) : 0;

	if (cycles > latencies[chain->form] && cycles <= MAX_LATENCY)
		latencies[chain->form] = (uint16_t)cycles;
}

int port_search_dependencies(struct port_search *h, struct err *e)
{
	struct arena *a = &h->c->arena;
	struct port_chain *chains;
	size_t n = port_chains(a, h->forms, h->n_forms, &chains);
	struct experiment *list = ARENA_ARRAY(a, struct experiment, n + 1);
	struct ports_value *values = ARENA_ARRAY(a, struct ports_value, n + 1);

	h->latencies = ARENA_ARRAY(a, uint16_t, h->n_forms + 1);
	for (size_t i = 0; i < n; i++)
		list[i] = chains[i].experiment;
	if (n > 0 && port_search_ask(h, PORTS_SINGLES, "chains", list, n,
				     values, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++)
		note_chain(&chains[i], &values[i], h->latencies);
	return ERR_OK;
}
