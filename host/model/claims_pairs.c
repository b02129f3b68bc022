/* Claims on two forms; see claims_read.h. */
#include "host/experiment/experiment.h"
#include "host/isa/catalogue.h"
#include "host/model/claims_read.h"

static struct model_form *known_form(const struct claim_reader *r,
				     const struct form *f)
{
	const struct model forms = {
		.n_forms = r->forms.n / sizeof(struct model_form),
		.forms = (const void *)r->forms.bytes,
	};
	const struct model_form *found = model_find(&forms, f->name);

	return found ? (struct model_form *)(void *)r->forms.bytes +
			       (found - forms.forms)
		     : NULL;
}

bool claims_pair(const struct claim_reader *r, const struct claim *c,
		 struct claim_pair *ret)
{
	struct err unknown = { .code = ERR_OK };
	const char *label = arena_printf(r->a, "%s:%s@%s+%s", c->kind, c->form,
					 c->source, c->destination);
	struct experiment x;
	const struct experiment_step *s = x.steps;

	if (experiment_parse(r->c, label, &x, &unknown) != ERR_OK ||
	    x.n_steps != 2)
		return false;
	ret->form = known_form(r, s[0].form);
	ret->other = known_form(r, s[1].form);
	if (!ret->form || !ret->other)
		return false;
	ret->own = model_latency(ret->form, s[0].src, s[0].dst);
	ret->others = model_latency(ret->other, s[1].src, s[1].dst);
	return true;
}
