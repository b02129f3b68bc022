/* What a form is completed to does not depend on which forms were completed
 * before it. */
#include <stdlib.h>
#include <string.h>

#include "host/model/complete.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

enum { MODELS = 12, MAX_FORMS = 4096 };

struct drawn {
	struct arena a;
	const struct catalogue *c;
	uint32_t state;
	const struct form **forms; /* those that are completed */
	size_t n;
};

static uint32_t draw(struct drawn *d, uint32_t below)
{
	d->state = d->state * 1664525 + 1013904223;
	return (d->state >> 8) % below;
}

static int by_name(const void *a, const void *b)
{
	const struct model_form *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Moves, sums, products and the stack, in registers and with an access. */
static void take_forms(struct drawn *d)
{
	static const char *const begin[] = { "MOV",   "ADD",  "PUSH",
					     "POP",   "IMUL", "VMOV",
					     "VADDP", "STOS", "XCHG" };

	d->forms = ARENA_ARRAY(&d->a, const struct form *, MAX_FORMS);
	for (size_t i = 0; i < d->c->n_forms && d->n < MAX_FORMS; i++)
		for (size_t k = 0; k < ARRAY_LEN(begin); k++)
			if (strncmp(d->c->forms[i].name, begin[k],
				    strlen(begin[k])) == 0) {
				d->forms[d->n++] = &d->c->forms[i];
				break;
			}
}

static void draw_ports(struct drawn *d, struct model_form *f)
{
	struct model_use *uses = ARENA_ARRAY(&d->a, struct model_use, 2);

	f->has_ports = true;
	f->uses = uses;
	f->n_uses = 1 + draw(d, 2);
	for (size_t u = 0; u < f->n_uses; u++)
		uses[u] = (struct model_use){ .ports = 1 + draw(d, 63),
					      .n_uops = 1,
					      .cycles = 1 };
}

/* A model of some of the forms, with values of some costs of each. */
static struct model *draw_model(struct drawn *d, const char *source)
{
	static const struct model_port ports[] = {
		{ .name = "P0" }, { .name = "P1" }, { .name = "P2" },
		{ .name = "P3" }, { .name = "P4" }, { .name = "P5" }
	};
	struct model *m = ARENA_NEW(&d->a, struct model);
	struct model_form *forms =
		ARENA_ARRAY(&d->a, struct model_form, d->n + 1);
	struct err e = { 0 };

	m->isa = "x86_64";
	m->cpu = "invented";
	m->source = source;
	m->width = (struct model_span){ true, 4, 4 };
	m->ports = ports;
	m->n_ports = ARRAY_LEN(ports);
	m->forms = forms;
	for (size_t i = 0; i < d->n; i++) {
		struct model_form *f = &forms[m->n_forms];
		double cycles = 0.25 * (1 + draw(d, 8));

		if (draw(d, 3) == 0)
			continue;
		m->n_forms++;
		f->name = d->forms[i]->name;
		if (draw(d, 4) > 0)
			f->throughput =
				(struct model_span){ true, cycles, cycles };
		if (draw(d, 3) == 0)
			draw_ports(d, f);
	}
	qsort(forms, m->n_forms, sizeof(*forms), by_name);
	assert_ok(model_check(m, d->c, &e), &e);
	return m;
}

static void assert_same(const struct completed_form *x,
			const struct completed_form *y)
{
	bool same = x->costs.has_ports == y->costs.has_ports &&
		    x->costs.n_uses == y->costs.n_uses &&
		    x->n_access == y->n_access &&
		    x->n_charges == y->n_charges &&
		    x->costs.throughput.low == y->costs.throughput.low &&
		    x->costs.throughput.high == y->costs.throughput.high;

	for (int k = 0; k < COST_N; k++)
		same = same && x->origin[k].origin == y->origin[k].origin;
	for (size_t u = 0; same && u < x->costs.n_uses; u++)
		same = x->costs.uses[u].ports == y->costs.uses[u].ports &&
		       x->costs.uses[u].cycles == y->costs.uses[u].cycles;
	for (size_t i = 0; same && i < x->n_charges; i++)
		same = x->charges[i].pool == y->charges[i].pool &&
		       x->charges[i].cycles == y->charges[i].cycles &&
		       x->charges[i].needs == y->charges[i].needs;
	if (!same)
		fail_msg("%s differs", x->form->name);
}

/* Swap each form with one before it. */
static void shuffle(struct drawn *d)
{
	for (size_t i = d->n; i > 1; i--) {
		size_t k = draw(d, (uint32_t)i);
		const struct form *swap = d->forms[i - 1];

		d->forms[i - 1] = d->forms[k];
		d->forms[k] = swap;
	}
}

TEST(any_order_gives_the_same)
{
	for (uint32_t seed = 1; seed <= MODELS; seed++) {
		struct drawn d = { .c = catalogue_of("x86_64"), .state = seed };
		const struct model *m, *tables;
		struct completion *in_order, *shuffled;

		take_forms(&d);
		m = draw_model(&d, "measured");
		tables = draw_model(&d, "tables");
		in_order = model_complete(&d.a, d.c, m, tables);
		shuffled = model_complete(&d.a, d.c, m, tables);
		for (size_t i = 0; i < d.n; i++)
			(void)completed_form(in_order, d.forms[i]);
		shuffle(&d);
		for (size_t i = 0; i < d.n; i++)
			assert_same(completed_form(shuffled, d.forms[i]),
				    completed_form(in_order, d.forms[i]));
		arena_free(&d.a);
	}
}
