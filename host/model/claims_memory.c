/* Claims on chains through a place in memory, and on mixes of loads and stores;
 * see claims_read.h. */
#include "host/experiment/experiment.h"
#include "host/isa/catalogue.h"
#include "host/model/claims_read.h"

/* "MOV64mr+MOV64rm": a store, and a load that receives its data by forwarding.
 * "MOV64mr+MOV64rm+ADD64rr@1>0": and an operation on what was loaded. */
static void add_forward(struct claim_reader *r, const struct claim *c,
			const struct experiment *x)
{
	const struct experiment_step *then =
		x->n_steps > 2 ? &x->steps[2] : NULL;
	struct model_forward f = { .store = x->steps[0].form->name,
				   .load = x->steps[1].form->name,
				   .then = then ? then->form->name : NULL,
				   .cycles = claim_span(c) };

	/* The ends of the store and of the load are the place. */
	if (x->steps[0].dst >= 0 || x->steps[1].src >= 0)
		return;
	f.mixed = !then && c->verdict == VERDICT_MIXTURE;
	buffer_add(&r->forwards, &f, sizeof(f));
}

static void add_mix(struct claim_reader *r, const struct claim *c,
		    const struct experiment *x)
{
	const struct experiment_step *load = &x->steps[0];
	const struct experiment_step *store = &x->steps[1];
	struct model_mix m;

	if (x->n_steps != 2 || load->form->access != ACCESS_LOAD ||
	    store->form->access != ACCESS_STORE)
		return;
	m = (struct model_mix){ .load = load->form->name,
				.store = store->form->name,
				.n_loads = load->count,
				.n_stores = store->count,
				.cycles = claim_span(c) };
	buffer_add(&r->mixes, &m, sizeof(m));
}

bool claims_add_several(struct claim_reader *r, const struct claim *c)
{
	struct err unknown = { .code = ERR_OK };
	const char *label;
	struct experiment x;
	bool mix = claim_is(c, "mix");

	if (!mix && !strchr(c->form, '+'))
		return false;
	if (!claim_taken(c) || (!mix && !claim_is(c, "latency")))
		return true;
	label = arena_printf(r->a, "%s:%s", c->kind, c->form);
	if (experiment_parse(r->c, label, &x, &unknown) != ERR_OK)
		return true;
	if (mix)
		add_mix(r, c, &x);
	else
		add_forward(r, c, &x);
	return true;
}

bool claims_add_modify(struct claim_reader *r, const struct form *form,
		       const struct claim *c)
{
	const struct model_forward f = { .store = form->name,
					 .load = form->name,
					 .cycles = claim_span(c) };
	uint16_t carried;
	double exact;

	if (form->access != (ACCESS_LOAD | ACCESS_STORE) ||
	    form_carried(r->c, form, NULL, &carried, 1) > 0)
		return false;
	/* A bound says nothing of forms like this one. */
	if (claim_exact(c, &exact) || claim_two_values(c))
		buffer_add(&r->forwards, &f, sizeof(f));
	return true;
}
