/* Loops as text and models as a few rows, for the tests of host/predict. */
#ifndef TESTS_PREDICT_WORLD_H
#define TESTS_PREDICT_WORLD_H

#include "host/isa/mc_parse.h"
#include "host/predict/predict.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

struct pair {
	int source, destination;
	double cycles;
};

/* A form: its uops as "0|1 DV*4 2|3", and one latency for all operand pairs
 * that are not listed. */
struct row {
	const char *form;
	const char *uses;
	double latency;
	struct pair pairs[3]; /* ends with cycles 0 */
	bool eliminated;
};

struct world {
	struct arena a;
	struct catalogue *c;
	struct mc_parser *parser;
	struct model *m, *tables; /* tables: NULL, or published ones */
	struct source source;
	struct program program;
	struct loop_list list;
	struct prediction p;
};

static inline struct model_span exactly(double x)
{
	return (struct model_span){ true, x, x };
}

/* Ports by name, "0 1 DV": a model's list. */
static inline void world_ports(struct world *w, const char *names)
{
	struct model_port *ports =
		ARENA_ARRAY(&w->a, struct model_port, MODEL_MAX_PORTS);
	char *text = arena_strdup(&w->a, names), *rest;

	w->m->n_ports = 0;
	for (char *name = strtok_r(text, " ", &rest); name;
	     name = strtok_r(NULL, " ", &rest))
		ports[w->m->n_ports++].name = name;
	w->m->ports = ports;
}

static inline model_ports world_set(struct world *w, char *text)
{
	model_ports set = 0;
	char *rest;

	for (char *name = strtok_r(text, "|", &rest); name;
	     name = strtok_r(NULL, "|", &rest)) {
		size_t k = 0;

		while (k < w->m->n_ports &&
		       strcmp(w->m->ports[k].name, name) != 0)
			k++;
		if (k == w->m->n_ports)
			fail_msg("no port %s", name);
		set |= (model_ports)1 << k;
	}
	return set;
}

static inline void world_uses(struct world *w, const struct row *r,
			      struct model_form *f)
{
	struct model_use *uses = ARENA_ARRAY(&w->a, struct model_use, 16);
	char *text = arena_strdup(&w->a, r->uses), *rest;

	for (char *use = strtok_r(text, " ", &rest); use;
	     use = strtok_r(NULL, " ", &rest)) {
		char *cycles = strchr(use, '*');

		if (cycles)
			*cycles++ = '\0';
		uses[f->n_uses++] = (struct model_use){
			.ports = world_set(w, use),
			.n_uops = 1,
			.cycles = cycles ? atof(cycles) : 1,
		};
	}
	f->uses = uses;
	f->has_ports = true;
}

static inline int row_by_name(const void *a, const void *b)
{
	return strcmp(((const struct model_form *)a)->name,
		      ((const struct model_form *)b)->name);
}

static inline void world_forms(struct world *w, const struct row *rows,
			       size_t n)
{
	struct model_form *forms = ARENA_ARRAY(&w->a, struct model_form, n);
	struct err e = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct model_latency *l =
			ARENA_ARRAY(&w->a, struct model_latency, 4);
		struct model_form *f = &forms[i];

		f->name = rows[i].form;
		f->slots = exactly(1);
		f->eliminated = rows[i].eliminated;
		world_uses(w, &rows[i], f);
		l[f->n_latencies++] = (struct model_latency){
			MODEL_ANY, MODEL_ANY, exactly(rows[i].latency), { 0 }
		};
		for (const struct pair *p = rows[i].pairs; p->cycles > 0; p++)
			l[f->n_latencies++] =
				(struct model_latency){ (int8_t)p->source,
							(int8_t)p->destination,
							exactly(p->cycles),
							{ 0 } };
		f->latencies = l;
	}
	qsort(forms, n, sizeof(*forms), row_by_name);
	w->m->n_forms = n;
	w->m->forms = forms;
	assert_ok(model_check(w->m, w->c, &e), &e);
}

static inline struct world world_open(const char *isa)
{
	struct world w = { .a = { 0 } };
	struct err e = { 0 };

	w.c = load(&w.a, isa, NULL);
	w.m = ARENA_NEW(&w.a, struct model);
	w.m->isa = isa;
	w.m->cpu = "published";
	w.m->source = "a test";
	assert_ok(mc_parser_open(w.c->isa->triple, w.c->isa->default_cpu,
				 w.c->isa->features, &w.parser, &e),
		  &e);
	return w;
}

/* A core with these ports and forms. */
static inline struct world world_of(const char *isa, const char *ports,
				    const struct row *rows, size_t n)
{
	struct world w = world_open(isa);

	world_ports(&w, ports);
	world_forms(&w, rows, n);
	return w;
}

#define WORLD_OF(isa, ports, rows) world_of(isa, ports, rows, ARRAY_LEN(rows))

static inline void world_close(struct world *w)
{
	mc_parser_close(w->parser);
	arena_free(&w->a);
}

static inline int world_read(struct world *w, const char *text, struct err *e)
{
	const struct code code = { "loop.s", text, strlen(text) };
	int status = source_read(&w->a, &code, w->c->isa->loop, &w->source, e);

	if (status == ERR_OK)
		status = program_from_text(&w->a, w->c, w->parser, &w->source,
					   &w->program, e);
	return status;
}

static inline int world_find(struct world *w, const char *text,
			     const struct loop_choice *choice, struct err *e)
{
	int status = world_read(w, text, e);

	if (status == ERR_OK)
		status = loops_find(&w->a, &w->program, choice, &w->list, e);
	return status;
}

/* The chosen loop on a completed model. */
static inline int world_predict_on(struct world *w, struct completion *k,
				   const struct predict_options *o,
				   struct err *e)
{
	const struct loop_on on = { &w->program, &w->list.loops[w->list.chosen],
				    k };

	return predict(&w->a, &on, o, &w->p, e);
}

static inline void world_predict(struct world *w, const char *text,
				 struct predict_options o)
{
	struct loop_choice any = { .marker = MARKER_AUTO };
	struct err e = { 0 };

	if (world_find(w, text, &any, &e) != ERR_OK ||
	    world_predict_on(w, model_complete(&w->a, w->c, w->m, w->tables),
			     &o, &e) != ERR_OK)
		fail_msg("%s", e.message);
}

static inline void assert_cycles(double have, double want, const char *what)
{
	if (have < want - 0.005 || have > want + 0.005)
		fail_msg("%s: %g cycles, expected %g", what, have, want);
}

#endif
