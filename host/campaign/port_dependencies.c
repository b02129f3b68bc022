/* How long forms keep the registers that they overwrite; see port_searching.h.
 *
 * An instance that reads what it overwrites depends on the instance before on
 * the same register.  The latency is measured as a chain, once for each such
 * operand, before the first mix of the form's batch.  From the latency follows
 * how many registers each form of a mix needs.  So no mix is slow because it
 * has too few registers, which would look like a lack of ports. */
#include <math.h>

#include "host/campaign/port_searching.h"

enum { MAX_LATENCY = 10000 };

/* A chain through an operand that a form reads and overwrites. */
struct port_chain {
	size_t form; /* of the list */
	struct experiment experiment;
};

/* All chains of the forms of a batch, owned by `a`.  Returns how many. */
static size_t port_chains(struct arena *a, const struct port_search *h,
			  uint16_t batch, struct port_chain **ret)
{
	struct port_chain *list;
	size_t n_forms = 0, n = 0;

	for (size_t i = 0; i < h->n_forms; i++)
		n_forms += h->forms[i].batch == batch;
	list = ARENA_ARRAY(a, struct port_chain,
			   n_forms * FORM_MAX_OPERANDS + 1);
	for (size_t i = 0; i < h->n_forms; i++) {
		const struct form *f = h->forms[i].form;

		for (int k = 0; k < f->n_explicit && h->forms[i].batch == batch;
		     k++) {
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
	struct arena a = { 0 };
	struct port_chain *chains;
	struct experiment *list;
	struct ports_value *values;
	size_t n;

	if (!h->latencies)
		h->latencies =
			ARENA_ARRAY(&h->c->arena, uint16_t, h->n_forms + 1);
	if (!h->chains_later)
		h->chains_later =
			ARENA_ARRAY(&h->c->arena, bool, h->n_forms + 1);
	while (h->n_batches <= h->batch && e->code == ERR_OK) {
		n = port_chains(&a, h, (uint16_t)h->n_batches, &chains);
		list = ARENA_ARRAY(&a, struct experiment, n + 1);
		values = ARENA_ARRAY(&a, struct ports_value, n + 1);
		for (size_t i = 0; i < n; i++)
			list[i] = chains[i].experiment;
		if (n > 0 &&
		    port_search_ask(h,
				    &(struct port_question){
					    PORTS_SINGLES, "chains", list, n },
				    values, e) != ERR_OK)
			break;
		for (size_t i = 0; i < n; i++) {
			note_chain(&chains[i], &values[i], h->latencies);
			h->chains_later[chains[i].form] |= values[i].later;
		}
		h->n_batches++;
	}
	arena_free(&a);
	return e->code;
}
