/* What the tests of other tools' mistakes share: plans, kernels and their
 * instructions. */
#ifndef UNIT_PEERS_H
#define UNIT_PEERS_H

#include "host/gen/assign.h"
#include "host/gen/gen.h"
#include "host/isa/instance.h"
#include "host/isa/mc.h"
#include "host/plan/plan.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

struct all {
	struct arena a;
	struct catalogue *c;
	struct experiment *list;
	size_t n;
};

static inline void plan(struct all *w, const char *isa, const char *forms)
{
	struct err e = { .code = ERR_OK, .message = "" };

	w->c = load(&w->a, isa, NULL);

	struct plan_request q = {
		.catalogue = w->c,
		.forms = forms,
		.what = PLAN_LATENCY | PLAN_THROUGHPUT,
	};

	if (plan_make(&w->a, &q, &w->list, &w->n, &e) != ERR_OK)
		fail_msg("%s", e.message);
}

static inline void done(struct all *w)
{
	catalogue_free(w->c);
	arena_free(&w->a);
}

static inline bool touches_memory(const struct form *f)
{
	return f->flags & (MC_MAY_LOAD | MC_MAY_STORE);
}

/* Is it a register in its own right, not a tied use or a fixed one? */
static inline bool is_free_register(const struct operand *o)
{
	return o->kind == OPERAND_REG && !o->implicit && o->tied_to < 0 &&
	       o->fixed_reg == REG_NONE;
}

static inline const struct reg *reg_at(const struct all *w,
				       const struct instance *in, int operand)
{
	return &w->c->regs[in->reg[operand]];
}

/* Call each() for every instruction of a kernel's first length. */
typedef void each_instance(const struct all *w, const struct instance *in,
			   void *context);

static inline void walk(const struct all *w, const struct kernel_row *k,
			each_instance *each, void *context)
{
	for (size_t at = 0; at < k->code_bytes[0];) {
		struct instance in;
		size_t n = instance_decode(w->c, k->code[0] + at,
					   k->code_bytes[0] - at, &in);

		assert_true(n > 0);
		if (in.form)
			each(w, &in, context);
		at += n;
	}
}

/* One experiment's kernel, or the test fails. */
static inline struct gen *one_kernel(const struct all *w, const char *label,
				     struct kernel_row *ret)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct gen_profile p = gen_profile(0);
	struct gen *g = gen_new(w->c, &p);
	struct experiment x;

	if (experiment_parse(w->c, label, &x, &e) != ERR_OK ||
	    gen_add(g, &x, &e) != ERR_OK)
		fail_msg("%s", e.message);
	gen_kernel_row(g, 0, ret);
	return g;
}

#endif
