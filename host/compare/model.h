/* Comparison of two machine models from any source.
 *
 * The same port has different names in different models.  So ports are
 * compared by numbers that do not depend on names: how many uops can go to
 * how many ports. */
#ifndef COMPARE_MODEL_H
#define COMPARE_MODEL_H

#include "host/base/file.h"
#include "host/model/model.h"

enum compare_model_kind {
	COMPARE_MODEL_LATENCY,
	COMPARE_MODEL_THROUGHPUT,
	COMPARE_MODEL_SLOTS,
	COMPARE_MODEL_PORTS,
	COMPARE_MODEL_N_KINDS,
};

enum compare_model_result {
	COMPARE_MODEL_AGREES, /* both values are exact */
	COMPARE_MODEL_INSIDE, /* at least one is an interval, and they meet */
	COMPARE_MODEL_DIFFERS,
	COMPARE_MODEL_N_RESULTS,
};

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
	size_t n[COMPARE_MODEL_N_KINDS][COMPARE_MODEL_N_RESULTS];
	/* struct compare_model_difference, the largest first, else in the order
	 * of our forms. */
	struct buffer differences[COMPARE_MODEL_N_KINDS];
};

/* Compare two models of one instruction set; `tolerance` is relative to the
 * larger value.  The caller calls compare_models_free(). */
void compare_models(const struct catalogue *c, const struct model *ours,
		    const struct model *theirs, double tolerance,
		    struct compare_models *ret);
void compare_models_free(struct compare_models *w);

/* Values of a kind that both models have. */
size_t compare_models_n(const struct compare_models *w,
			enum compare_model_kind kind);

#endif
