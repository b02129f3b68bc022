/* What is published about the forms of a port search: see port_searching.h. */
#include "host/campaign/port_searching.h"
#include "host/codec/codec.h"

void port_search_read_published(struct port_search *h)
{
	const struct catalogue *c = h->c->catalogue;
	struct arena *a = &h->c->arena;
	struct err none = { .code = ERR_OK };
	struct model *m;

	h->published = ARENA_ARRAY(a, double, h->n_forms);
	/* LLVM has no table of most cores. */
	if (import_llvm(a, c, c->cpu, &m, &none) != ERR_OK)
		return;
	for (size_t i = 0; i < h->n_forms; i++) {
		const struct model_form *f =
			model_find(m, h->forms[i].form->name);

		if (!f || !f->has_ports)
			continue;
		for (size_t u = 0; u < f->n_uses; u++)
			h->published[i] += f->uses[u].n_uops;
	}
}
