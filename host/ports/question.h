/* The question that question.c asks of each form.  question_kernels.c says what its
 * kernels showed, and question_judge.c sets its verdict. */
#ifndef PORTS_QUESTION_H
#define PORTS_QUESTION_H

#include "host/ports/assignments.h"
#include "host/ports/published.h"
#include "host/ports/saturation.h"

/* Kernels of a form that may show more than its uops take. */
enum { QUESTION_MOST_SLOWER = 2 };

/* What is known of a form. */
struct asking {
	bool done;
	unsigned attempts, slower;
	/* When it is done: how many assignments are left, and is that all of
	 * them? */
	bool all;
	size_t n;
	struct assignment best;
	bool open; /* others are as good */
	/* Forms of earlier batches whose uses may be its own. */
	size_t n_alike;
	uint32_t alike[PUBLISHED_MOST];
	/* The only one of these that agrees with all n_checks kernels, at least
	 * one; PORTS_NONE: none, or several. */
	int32_t like;
	unsigned n_checks;
	bool confirmed; /* by enough kernels, which cover its ports */
};

struct question {
	struct saturation *w;
	size_t n_sets;
	model_ports sets[ASSIGNMENTS_MAX_SETS];
	bool cut; /* there are more */
	model_ports targets[SATURATION_MAX_TARGETS];
	struct asking *asking; /* of each form of w */
};

/* Ask all forms of w, and set their uses and verdicts. */
int question_ask(struct saturation *w);

/* Results of the form's kernels, by target. */
struct saturation_result *question_seen(const struct question *q, size_t i);

/* Kernels of the form that showed something. */
size_t question_n_shown(const struct question *q, size_t i);

/* Whole cycles that a kernel may show, within its error.  False: none. */
bool question_shows(const struct saturation_result *x,
		    struct assignments_kernel *ret);

/* Slots of a form, at most. */
unsigned question_slots(const struct form_state *f);

/* Uops that cycles are divided among: the slots if their number is known; else their
 * lower bound if there is a filler, and their upper bound if there is none; and
 * those that may share a slot. */
unsigned question_least_uops(const struct infer *in, uint32_t form);

/* Kernels that these uses do not explain.  `forget`: they are to be measured
 * again. */
size_t question_n_wrong(struct question *q, size_t i,
			const struct assignment *a, bool forget);

/* Set the uses and the verdict of form i. */
void question_judge(struct question *q, size_t i);

#endif
