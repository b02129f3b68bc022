/* What is published about the forms of a port search: see port_searching.h. */
#include <stdlib.h>
#include <string.h>

#include "host/campaign/port_searching.h"
#include "host/codec/codec.h"
#include "host/isa/mc.h"

/* A form of the search with its uses in the tables. */
struct form_uses {
	uint32_t at; /* in the list of the search */
	uint8_t access;
	const struct model_form *of;
};

static int compare_uses(const void *a, const void *b)
{
	const struct form_uses *x = a, *y = b;
	size_t n = x->of->n_uses;

	if (x->access != y->access)
		return x->access < y->access ? -1 : 1;
	if (n != y->of->n_uses)
		return n < y->of->n_uses ? -1 : 1;
	for (size_t i = 0; i < n; i++) {
		const struct model_use *u = &x->of->uses[i];
		const struct model_use *v = &y->of->uses[i];

		if (u->ports != v->ports)
			return u->ports < v->ports ? -1 : 1;
		if (u->n_uops != v->n_uops)
			return u->n_uops < v->n_uops ? -1 : 1;
		if (u->cycles != v->cycles)
			return u->cycles < v->cycles ? -1 : 1;
	}
	return 0;
}

/* Number the lists of uses, from 1. */
static void number_uses(struct port_search *h, struct form_uses *list, size_t n)
{
	uint32_t number = 0;

	qsort(list, n, sizeof(*list), compare_uses);
	for (size_t i = 0; i < n; i++) {
		number += i == 0 || compare_uses(&list[i - 1], &list[i]) != 0;
		h->published[list[i].at].number = number;
	}
}

/* Where its uops probably are. */
static uint8_t side_of(const struct catalogue *c, const struct form *f)
{
	enum { INTEGER, VECTOR, MEMORY };

	if (f->access != 0)
		return MEMORY;
	return form_uses(c, f, BANK_VECTOR) || form_uses(c, f, BANK_FP) ||
			       form_uses(c, f, BANK_MASK)
		       ? VECTOR
		       : INTEGER;
}

static void set_kinds(struct port_search *h)
{
	/* Chosen: above all scheduling classes. */
	enum { TABLES = 1 << 24 };
	const struct catalogue *c = h->c->catalogue;

	for (size_t i = 0; i < h->n_forms; i++) {
		struct port_published *p = &h->published[i];
		struct mc_opcode opcode;

		mc_get_opcode(c->mc, h->forms[i].form->opcode, &opcode);
		p->kind =
			p->number > 0 ? TABLES + p->number : opcode.sched_class;
		p->side = side_of(c, h->forms[i].form);
	}
}

static void number_published(struct port_search *h)
{
	const struct catalogue *c = h->c->catalogue;
	struct arena *a = &h->c->arena;
	struct err none = { .code = ERR_OK };
	struct form_uses *list = ARENA_ARRAY(a, struct form_uses, h->n_forms);
	struct model *m;
	size_t n = 0;

	/* LLVM has no table of most cores. */
	if (import_llvm(a, c, c->cpu, &m, &none) != ERR_OK)
		return;
	for (size_t i = 0; i < h->n_forms; i++) {
		const struct form *form = h->forms[i].form;
		const struct model_form *f = model_find(m, form->name);

		if (!f || !f->has_ports || f->n_uses == 0)
			continue;
		for (size_t u = 0; u < f->n_uses; u++)
			h->published[i].n_uops += f->uses[u].n_uops;
		list[n++] = (struct form_uses){ (uint32_t)i, form->access, f };
	}
	number_uses(h, list, n);
}

void port_search_read_published(struct port_search *h)
{
	h->published =
		ARENA_ARRAY(&h->c->arena, struct port_published, h->n_forms);
	number_published(h);
	set_kinds(h);
}
