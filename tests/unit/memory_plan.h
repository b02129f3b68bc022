/* Plans and assignments of some forms, for tests of memory. */
#ifndef TESTS_UNIT_MEMORY_PLAN_H
#define TESTS_UNIT_MEMORY_PLAN_H

#include <stdio.h>
#include <string.h>

#include "host/gen/assign.h"
#include "host/gen/gen.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
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

	assert_int_equal(catalogue_load(&w->a, isa_find(isa), NULL, &w->c, &e),
			 ERR_OK);

	struct plan_request q = {
		.catalogue = w->c,
		.forms = forms,
		.what = PLAN_LATENCY | PLAN_THROUGHPUT,
	};

	assert_int_equal(plan_make(&w->a, &q, &w->list, &w->n, &e), ERR_OK);
}

static inline void done(struct all *w)
{
	catalogue_free(w->c);
	arena_free(&w->a);
}

static inline bool planned(const struct all *w, const char *label)
{
	for (size_t i = 0; i < w->n; i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		char have[PACK_MAX_LABEL];

		assert_int_equal(experiment_label(w->c, &w->list[i], have, &e),
				 ERR_OK);
		if (strcmp(have, label) == 0)
			return true;
	}
	return false;
}

static inline void assign(const struct all *w, const char *label,
			  struct assigned *ret)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct experiment x;

	assert_int_equal(experiment_parse(w->c, label, &x, &e), ERR_OK);
	assert_int_equal(assign_registers(w->c, &x, 16, ret, &e), ERR_OK);
}

#endif
