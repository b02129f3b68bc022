/* LLVM's tables with the changes of a diff: what a compiler that is built with it
 * has; see against.h. */
#include <math.h>

#include "host/codec/llvm/against.h"
#include "host/isa/catalogue.h"

static void add_latency(struct arena *a, struct model_form *f, double cycles)
{
	struct model_latency *list =
		ARENA_ARRAY(a, struct model_latency, f->n_latencies + 1);

	for (size_t i = 0; i < f->n_latencies; i++) {
		list[i] = f->latencies[i];
		list[i].cycles.low = fmax(0, list[i].cycles.low + cycles);
		list[i].cycles.high = fmax(0, list[i].cycles.high + cycles);
	}
	f->latencies = list;
}

/* The rate is that of the ports, or of the front end. */
static void change_uses(struct arena *a, const struct model *m,
			const struct against_form *x, struct model_form *f)
{
	struct model_use *uses =
		ARENA_ARRAY(a, struct model_use, f->n_uses + 1);
	double rate;

	for (size_t i = 0; i < f->n_uses; i++) {
		uses[i] = f->uses[i];
		uses[i].cycles *= x->release;
		if (x->ports_now && uses[i].ports == x->ports_before)
			uses[i].ports = x->ports_now;
	}
	f->uses = uses;
	f->slots.low += (double)x->more_uops;
	f->slots.high += (double)x->more_uops;
	rate = fmax(model_port_bound(uses, f->n_uses, NULL),
		    f->slots.high / m->width.high);
	f->throughput = (struct model_span){ true, rate, rate };
}

struct model *against_table(const struct against *w)
{
	struct model *m = ARENA_NEW(w->a, struct model);
	struct model_form *forms =
		ARENA_ARRAY(w->a, struct model_form, w->table->n_forms + 1);

	*m = *w->table;
	for (size_t i = 0; i < m->n_forms; i++) {
		struct model_form *f = &forms[i];
		const struct form *form;
		const struct against_form *x = NULL;

		*f = w->table->forms[i];
		form = catalogue_form(w->c, f->name);
		if (form)
			x = w->of_form[form - w->c->forms];
		if (x && x->added != 0)
			add_latency(w->a, f, (double)x->added);
		if (x && (x->release != 1 || x->more_uops != 0 || x->ports_now))
			change_uses(w->a, m, x, f);
	}
	m->forms = forms;
	m->source = arena_printf(w->a, "%s with a diff of %s", m->source,
				 w->file.path);
	return m;
}
