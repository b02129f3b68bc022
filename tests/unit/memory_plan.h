/* Labels of plans, for tests of memory. */
#ifndef TESTS_UNIT_MEMORY_PLAN_H
#define TESTS_UNIT_MEMORY_PLAN_H

#include "tests/unit/planned.h"

static inline bool planned(const struct all *w, const char *label)
{
	for (size_t i = 0; i < w->n; i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		char have[PACK_MAX_LABEL];

		assert_ok(experiment_label(w->c, &w->list[i], have, &e), &e);
		if (strcmp(have, label) == 0)
			return true;
	}
	return false;
}

#endif
