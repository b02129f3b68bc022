/* Read mixes of loads and stores; see claims_read.h. */
#include "host/experiment/experiment.h"
#include "host/isa/catalogue.h"
#include "host/model/claims_read.h"

void claims_mix(struct claim_reader *r, const struct claim *c)
{
	struct err unknown = { .code = ERR_OK };
	const char *label = arena_printf(r->a, "mix:%s", c->form);
	struct experiment x;
	const struct experiment_step *load = &x.steps[0], *store = &x.steps[1];
	struct model_mix m;

	if (!claim_is_settled(c) ||
	    experiment_parse(r->c, label, &x, &unknown) != ERR_OK ||
	    x.n_steps != 2 || load->form->access != ACCESS_LOAD ||
	    store->form->access != ACCESS_STORE)
		return;
	m = (struct model_mix){ .load = load->form->name,
				.store = store->form->name,
				.n_loads = load->count,
				.n_stores = store->count,
				.cycles = claim_span(c) };
	buffer_add(&r->mixes, &m, sizeof(m));
}
