/* How long forms keep the registers they overwrite; see ports.h.
 *
 * An instance that reads what it overwrites waits for the one before on the
 * same register.  How long is measured as a chain, once for each such operand,
 * so that a mix can share its registers by need, and one that is slow for want
 * of registers is not taken for one that is short of ports. */
#include <math.h>

#include "host/cli/ports.h"

enum { MAX_LATENCY = 10000 };

size_t ports_chains(struct arena *a, const struct plan_ports_form *forms,
		    size_t n_forms, struct ports_chain **ret)
{
	struct ports_chain *list = ARENA_ARRAY(a, struct ports_chain,
					       n_forms * FORM_MAX_OPERANDS + 1);
	size_t n = 0;

	for (size_t i = 0; i < n_forms; i++) {
		const struct form *f = forms[i].form;

		for (int k = 0; k < f->n_explicit; k++) {
			int root = f->operands[k].tied_to;

			if (root < 0 || f->operands[k].kind != OPERAND_REG)
				continue;
			list[n++] = (struct ports_chain){
				i,
				{ .kind = EXPERIMENT_LATENCY,
				  .n_steps = 1,
				  .steps = { { .form = f,
					       .src = (int16_t)k,
					       .dst = (int16_t)root,
					       .count = 1 } } },
			};
		}
	}
	*ret = list;
	return n;
}

void ports_chain_note(const struct ports_chain *chain,
		      const struct ports_value *v, uint16_t *latencies)
{
	double cycles = v->has_value ? ceil(v->cycles - 0.1) : 0;

	if (cycles > latencies[chain->form] && cycles <= MAX_LATENCY)
		latencies[chain->form] = (uint16_t)cycles;
}
