/* Invented cores of a few forms, and the inference of their ports. */
#ifndef TESTS_PORT_BENCH_H
#define TESTS_PORT_BENCH_H

#include "tests/ports/truth.h"
#include "tests/unit/unit.h"

/* The core, and what the inference answers.  renamed[i]: the renamer may
 * execute form i. */
struct bench {
	struct truth *t;
	struct arena a;
	struct ports_answer w;
	bool renamed[TRUTH_MAX_FORMS];
};

static inline struct bench start(unsigned width)
{
	struct bench b = { .t = calloc(1, sizeof(*b.t)) };

	assert_non_null(b.t);
	b.t->width = width;
	b.t->random = 1;
	return b;
}

/* A form with a uop on these ports (0: without); its number. */
static inline uint32_t add(struct bench *b, model_ports ports, double cycles)
{
	struct truth_form *f = &b->t->forms[b->t->n_forms];

	*f = (struct truth_form){ .slots = 1 };
	(void)snprintf(f->name, sizeof(f->name), "F%zu", b->t->n_forms);
	if (ports != 0)
		f->uses[f->n_uses++] = (struct model_use){ ports, 1, cycles };
	while (b->t->n_ports < MODEL_MAX_PORTS && ports >> b->t->n_ports != 0)
		b->t->n_ports++;
	return (uint32_t)b->t->n_forms++;
}

static inline void add_all(struct bench *b, size_t n, model_ports ports)
{
	while (n-- > 0)
		(void)add(b, ports, 1);
}

static inline void infer(struct bench *b)
{
	struct ports_form *forms =
		ARENA_ARRAY(&b->a, struct ports_form, b->t->n_forms);
	struct ports_oracle oracle = { .measure = truth_measure,
				       .may_mix = truth_may_mix,
				       .context = b->t };
	struct ports_request q = { .forms = forms,
				   .n_forms = b->t->n_forms,
				   .oracle = &oracle,
				   .n_checks = 200,
				   .n_fit = 100,
				   .seed = 1 };
	struct err e = { .code = ERR_OK };

	for (size_t i = 0; i < b->t->n_forms; i++) {
		forms[i].name = b->t->forms[i].name;
		forms[i].rank = b->t->forms[i].n_uses > 0;
		forms[i].renamed = b->renamed[i];
	}
	assert_int_equal(ports_infer(&b->a, &q, &b->w, &e), ERR_OK);
}

static inline void finish(struct bench *b)
{
	arena_free(&b->a);
	free(b->t);
}

#endif
