/* Comparison of two machine models from any source.
 *
 * The same port has different names in different models.  So ports are
 * compared by numbers that do not depend on names: how many uops can go to
 * how many ports. */
#ifndef COMPARE_MODEL_H
#define COMPARE_MODEL_H

#include "host/base/file.h"
#include "host/compare/compare.h"
#include "host/model/model.h"

/* Two values that differ, as text. */
struct compare_model_difference {
	const char *form;
	char what[48]; /* "1>EFLAGS.CF" of a latency, else empty */
	char ours[80], theirs[80];
	/* What lies between both, relative to the larger and in cycles. */
	double relative, cycles;
	size_t place; /* before the list was sorted */
};

/* What both models say; forms of the models outlive it. */
struct compare_models {
	size_t n_common; /* forms that both have */
	struct compare_counts counts;
	/* struct compare_model_difference, the largest first, else in the order
	 * of our forms. */
	struct buffer differences[COMPARE_N_KINDS];
};

/* Compare two models of one instruction set; `tolerance` is relative to the
 * larger value.  The caller calls compare_models_free(). */
void compare_models(const struct catalogue *c, const struct model *ours,
		    const struct model *theirs, double tolerance,
		    struct compare_models *ret);
void compare_models_free(struct compare_models *w);

#endif
