/* What the class of a form or its parts tell of its ports, for OSACA, which knows
 * no instruction that is renamed away: it gets one without ports.  See
 * osaca_entry.h. */
#include "host/export/osaca_entry.h"
#include "host/isa/isa.h"
#include "host/model/complete.h"

/* Is the value measured, of the form itself, of its class or of its parts? */
static bool is_inferred(const struct completed_form *f, enum model_cost cost)
{
	return f->origin[cost].origin <= ORIGIN_PARTS;
}

const struct model *osaca_fill(struct arena *a, const struct model *m,
			       const struct catalogue *c, size_t *ret_filled)
{
	struct completion *k = model_complete(a, c, m, NULL);
	struct model *filled = ARENA_NEW(a, struct model);
	struct model_form *forms =
		ARENA_ARRAY(a, struct model_form, m->n_forms + 1);

	*filled = *m;
	filled->forms = forms;
	filled->ports = completed_model(k)->ports;
	filled->n_ports = completed_model(k)->n_ports;
	*ret_filled = 0;
	for (size_t i = 0; i < m->n_forms; i++) {
		const struct form *form = catalogue_form(c, m->forms[i].name);
		const struct completed_form *f =
			form ? completed_form(k, form) : NULL;

		forms[i] = m->forms[i];
		if (forms[i].eliminated || (f && f->costs.eliminated)) {
			forms[i].has_ports = true;
			forms[i].n_uses = 0;
			continue;
		}
		if (!f || !is_inferred(f, COST_PORTS) || !f->costs.has_ports)
			continue;
		*ret_filled += !forms[i].has_ports;
		forms[i].has_ports = true;
		forms[i].n_uses = f->costs.n_uses;
		forms[i].uses = f->costs.uses;
	}
	return filled;
}
