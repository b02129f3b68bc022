/* Claims on chains through a place in memory; see claims_read.h. */
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/model/claims_read.h"
#include "host/model/settled.h"

static const char *catalogue_name(const struct claim_reader *r,
				  const char *name, size_t n)
{
	const struct form *f =
		catalogue_form(r->c, arena_printf(r->a, "%.*s", (int)n, name));

	return f ? f->name : NULL;
}

/* "MOV64mr+MOV64rm": a store, and a load that receives its data by forwarding.
 * "MOV64mr+MOV64rm+ADD64rr@1>0": and an operation on what was loaded. */
void claims_add_forward(struct claim_reader *r, const struct claim *c)
{
	const char *load = strchr(c->form, '+');
	const char *then = load ? strchr(load + 1, '+') : NULL;
	struct model_forward f = { .cycles = claim_span(c) };

	if (!claim_is(c, "latency") || !claim_is_settled(c) || !load ||
	    strcspn(c->form, "@") < strcspn(c->form, "+") ||
	    strcspn(load + 1, "@") < strcspn(load + 1, "+") ||
	    (then ? strchr(then + 1, '+') != NULL : strchr(load, '@') != NULL))
		return;
	f.store = catalogue_name(r, c->form, (size_t)(load - c->form));
	f.load = catalogue_name(r, load + 1, strcspn(load + 1, "+"));
	if (then)
		f.then = catalogue_name(r, then + 1, strcspn(then + 1, "@"));
	f.mixed = !then && strcmp(c->verdict, "mixture") == 0;
	if (f.store && f.load && (!then || f.then))
		buffer_add(&r->forwards, &f, sizeof(f));
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
