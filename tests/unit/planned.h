/* What plans of some forms make, and the registers and kernels of single
 * labels. */
#ifndef TESTS_UNIT_PLANNED_H
#define TESTS_UNIT_PLANNED_H

#include "host/gen/assign.h"
#include "host/gen/gen.h"
#include "host/plan/plan.h"
#include "tests/unit/catalogue_load.h"

struct all {
	struct arena a;
	struct catalogue *c;
	struct experiment *list;
	size_t n;
};

/* Latencies and throughputs of forms that match; NULL: of all. End with
 * done(). */
static inline struct all plan_of(const char *isa, const char *forms)
{
	struct all w = { .c = catalogue_of(isa) };
	const struct plan_request q = {
		.catalogue = w.c,
		.forms = forms,
		.what = PLAN_LATENCY | PLAN_THROUGHPUT,
	};
	struct err e = { .code = ERR_OK };

	assert_ok(plan_make(&w.a, &q, &w.list, &w.n, &e), &e);
	return w;
}

static inline void done(struct all *w)
{
	arena_free(&w->a);
}

/* For GROUP(): *state becomes the catalogue of x86-64 without a plan. */
static inline int load_x86(void **state)
{
	static struct all w;

	w.c = catalogue_of("x86_64");
	*state = &w;
	return 0;
}

/* The registers of `n` instances of a label's experiment. */
static inline void assign(const struct catalogue *c, const char *label,
			  uint32_t n, struct assigned *ret)
{
	struct experiment x;
	struct err e = { .code = ERR_OK };

	if (experiment_parse(c, label, &x, &e) != ERR_OK ||
	    assign_registers(c, &x, n, ret, &e) != ERR_OK)
		fail_msg("%s: %s", label, e.message);
}

/* Kernels of bodies as short as may be. End with gen_end(). */
static inline struct gen *gen_of(const struct catalogue *c)
{
	struct gen_profile p = gen_profile(0);

	return gen_new(c, &p);
}

static inline void gen_end(struct gen **g)
{
	gen_free(*g);
}

/* Adds a label's kernel to `g`. */
static inline void add_label(struct gen *g, const struct catalogue *c,
			     const char *label, struct kernel_row *ret)
{
	struct experiment x;
	struct err e = { .code = ERR_OK };

	if (experiment_parse(c, label, &x, &e) != ERR_OK ||
	    gen_add(g, &x, &e) != ERR_OK)
		fail_msg("%s: %s", label, e.message);
	gen_kernel_row(g, gen_n_kernels(g) - 1, ret);
}

#endif
