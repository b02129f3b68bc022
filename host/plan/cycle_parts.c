/* See cycle_parts.h. */
#include "host/plan/cycle_parts.h"

#include <stdlib.h>

#include "host/base/file.h"
#include "host/plan/graph.h"
#include "host/plan/pairs.h"

enum { MAX_PARTS = 64 }; /* distinct parts after the first: the ISA's bridges */

struct parts {
	const struct catalogue *c;
	const struct experiment *list;
	size_t n;
	struct experiment_step parts[MAX_PARTS];
	size_t n_parts;
	bool *known;  /* of each form: independent instances are measured */
	bool *wanted; /* and are needed */
	void (*add)(void *context, const struct experiment *x);
	void *context;
};

static bool is_cycle(const struct experiment *x)
{
	size_t n = experiment_measured(x);

	for (size_t s = 0; s < n; s++)
		if (x->steps[s].src < 0 || x->steps[s].dst < 0)
			return false;
	return x->kind == EXPERIMENT_LATENCY && n > 1;
}

static bool same(const struct experiment_step *a,
		 const struct experiment_step *b)
{
	return a->form == b->form && a->src == b->src && a->dst == b->dst;
}

static void note_part(struct parts *b, const struct experiment_step *s)
{
	for (size_t i = 0; i < b->n_parts; i++)
		if (same(&b->parts[i], s))
			return;
	if (b->n_parts < MAX_PARTS)
		b->parts[b->n_parts++] = *s;
}

static size_t at(const struct parts *b, const struct experiment_step *s)
{
	return (size_t)(s->form - b->c->forms);
}

/* A latency cycle with a control kernel of its own needs no other
 * control. */
static void note(struct parts *b, const struct experiment *x)
{
	size_t n = experiment_measured(x);

	if (x->kind == EXPERIMENT_THROUGHPUT)
		b->known[at(b, &x->steps[0])] = true;
	if (!is_cycle(x))
		return;
	for (size_t s = 1; s < n; s++)
		note_part(b, &x->steps[s]);
	if (experiment_is_carried(b->c, x))
		return;
	for (size_t s = 0; s < n; s++)
		b->wanted[at(b, &x->steps[s])] = true;
}

static bool is_listed(const struct parts *b, const struct experiment_step *s)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->list[i].kind == EXPERIMENT_LATENCY &&
		    experiment_measured(&b->list[i]) == 1 &&
		    same(&b->list[i].steps[0], s))
			return true;
	return false;
}

/* Does a latency cycle of the list begin with the step? */
static bool is_head(const struct parts *b, const struct experiment_step *s)
{
	for (size_t i = 0; i < b->n; i++)
		if (is_cycle(&b->list[i]) && same(&b->list[i].steps[0], s))
			return true;
	return false;
}

/* The shortest latency cycle of a bridge, with a bridge that leads back,
 * bounds its latency. */
static void add_cycle(struct parts *b, const struct experiment_step *s)
{
	struct experiment x;
	struct pair cuts;

	if (is_head(b, s) ||
	    graph_chain(b->c, s->form, s->src, s->dst, &x, &cuts) ||
	    !pair_add_helpers(b->c, &cuts, &x) ||
	    experiment_is_carried(b->c, &x))
		return;
	b->add(b->context, &x);
	note(b, &x);
}

static void add_chain(struct parts *b, const struct experiment_step *s)
{
	struct experiment x = { .kind = EXPERIMENT_LATENCY,
				.n_steps = 1,
				.steps[0] = *s };
	struct pair pair;

	if (is_listed(b, s))
		return;
	if (pair_check(b->c, s->form, s->src, s->dst, &pair) ==
	    PAIR_OTHER_CLASS)
		add_cycle(b, s);
	if (pair_check(b->c, s->form, s->src, s->dst, &pair) != PAIR_OK ||
	    !pair_add_helpers(b->c, &pair, &x))
		return;
	b->add(b->context, &x);
	x.kind = EXPERIMENT_CONTROL;
	x.n_steps = 1;
	if (pair_independent(b->c, s->form, &pair) &&
	    pair_add_helpers(b->c, &pair, &x))
		b->add(b->context, &x);
}

static void add_control(const struct parts *b, const struct form *f)
{
	struct experiment x = experiment_of(EXPERIMENT_CONTROL, f, -1, -1);
	struct pair pair;

	if (pair_independent(b->c, f, &pair) &&
	    pair_add_helpers(b->c, &pair, &x))
		b->add(b->context, &x);
}

void cycle_parts(const struct catalogue *c, const struct experiment *list,
		 size_t n,
		 void (*add)(void *context, const struct experiment *x),
		 void *context)
{
	struct parts b = {
		.c = c,
		.list = list,
		.n = n,
		.known = xrealloc(NULL, c->n_forms, sizeof(bool)),
		.wanted = xrealloc(NULL, c->n_forms, sizeof(bool)),
		.add = add,
		.context = context,
	};

	for (size_t i = 0; i < c->n_forms; i++)
		b.known[i] = b.wanted[i] = false;
	for (size_t i = 0; i < n; i++)
		note(&b, &list[i]);
	for (size_t i = 0; i < b.n_parts; i++)
		add_chain(&b, &b.parts[i]);
	for (size_t i = 0; i < c->n_forms; i++)
		if (b.wanted[i] && !b.known[i])
			add_control(&b, &c->forms[i]);
	free(b.known);
	free(b.wanted);
}
