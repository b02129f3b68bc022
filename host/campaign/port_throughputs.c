/* What the database knows of the throughput of the forms of a port search: see
 * port_searching.h. */
#include <stdlib.h>
#include <string.h>

#include "host/campaign/port_searching.h"
#include "host/store/store_claim.h"
#include "host/store/store_core.h"

struct named_form {
	const char *name;
	size_t form;
};

struct throughputs {
	struct port_search *h;
	struct named_form *list; /* sorted by name */
};

static int compare_names(const void *a, const void *b)
{
	const struct named_form *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* With any verdict: if a value in doubt differs, the form is in doubt here,
 * too. */
static int note_throughput(void *context, const struct claim *c, struct err *e)
{
	const struct throughputs *t = context;
	const struct named_form key = { .name = c->form }, *found;

	(void)e;
	if (!c->has_value || !(c->low_cycles > 0) ||
	    !(c->high_cycles >= c->low_cycles) ||
	    strcmp(c->kind, "throughput") != 0 ||
	    strcmp(c->isa, t->h->run.isa) != 0 ||
	    strcmp(c->board, t->h->run.board) != 0)
		return 0;
	found = bsearch(&key, t->list, t->h->n_forms, sizeof(key),
			compare_names);
	if (found)
		t->h->throughputs[found->form] =
			(struct model_span){ true, c->low_cycles,
					     c->high_cycles };
	return 0;
}

/* Read the newest throughputs of the core of the search's run; none if the
 * database has claims of other cores only. */
static int read_throughputs(struct throughputs *t, struct arena *a,
			    struct err *e)
{
	struct store *s = t->h->s;
	struct err none = { .code = ERR_OK };
	const char *chosen = "";
	struct core_id id;
	struct core_query q = { .board = t->h->run.board,
				.isa = t->h->run.isa };

	if (store_run_core(s, a, t->h->run.id, &id, e) != ERR_OK)
		return e->code;
	q.if_there = id.core;
	if (store_choose_core(s, &q, &none) == ERR_INPUT)
		return ERR_OK;
	*e = none;
	if (e->code != ERR_OK ||
	    store_chosen_core(s, a, &chosen, e) != ERR_OK ||
	    strcmp(chosen, id.core) != 0)
		return e->code;
	return store_claims(s, 0, NULL, note_throughput, t, e);
}

int port_search_throughputs(struct port_search *h, struct err *e)
{
	struct arena a = { 0 };
	struct throughputs t = {
		.h = h,
		.list = ARENA_ARRAY(&a, struct named_form, h->n_forms + 1),
	};

	h->throughputs =
		ARENA_ARRAY(&h->c->arena, struct model_span, h->n_forms + 1);
	for (size_t i = 0; i < h->n_forms; i++)
		t.list[i] = (struct named_form){ h->forms[i].form->name, i };
	qsort(t.list, h->n_forms, sizeof(*t.list), compare_names);
	(void)read_throughputs(&t, &a, e);
	arena_free(&a);
	return e->code;
}
