/* Records for the solver, as kernels would have left them. */
#ifndef TEST_RECORD_H
#define TEST_RECORD_H

#include "host/solve/judge.h"
#include "tests/unit/unit.h"

/* All visits agree on this number of cycles.  The label's words are in `a`. */
static inline struct record record_of(struct arena *a, size_t index,
				      const char *label, double cycles)
{
	struct record r = {
		.text = label,
		.index = (uint32_t)index,
		.estimate = { .state = VERDICT_OK,
			      .has_value = true,
			      .low = cycles,
			      .high = cycles,
			      .visits = 3,
			      .n_visits = 3 },
	};

	assert_true(label_split(a, label, &r.label));
	return r;
}

#endif
