/* Planning: the experiments for each form. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <regex.h>

#include "host/experiment/experiment.h"

enum plan_what {
	PLAN_LATENCY = 1 << 0,
	PLAN_THROUGHPUT = 1 << 1,
};

/* Parse "latency,throughput"; ERR_USAGE names the unknown word. */
int plan_parse_what(const char *words, unsigned *ret_what, struct err *e);

/* The words for a set of plan_what, "" for none. */
const char *plan_what_words(unsigned what);

struct plan_request {
	const struct catalogue *catalogue;
	const char *forms; /* extended regular expression, NULL: all */
	unsigned what;
	bool core_clock;   /* the board counts cycles of the core */
	bool thorough;     /* also small loops, short chains and forwarding */
	uint64_t families; /* of variants, bit i: family i; 0: default */
	/* Called for every pair of a source and a result of one class
	 * without a chain, with the reason; may be NULL. */
	void (*skipped)(void *context, const struct form *form, int src,
			int dst, const char *why);
	void *context;
};

/* Make the experiments in order: calibration (three: chain a, chain b,
 * probe), mixes for the width of the core if throughputs are planned, and
 * those of the forms.  Owned by `a`.  ERR_INPUT when no form matches or the
 * expression is bad. */
int plan_make(struct arena *a, const struct plan_request *q,
	      struct experiment **ret_experiments, size_t *ret_n,
	      struct err *e);

/* Compile an extended regular expression for names of forms, NULL: all;
 * ERR_USAGE says what is wrong with it.  regfree() it. */
int plan_expression(const char *forms, regex_t *ret, struct err *e);

/* ERR_INPUT for an expression that selects nothing: if no form matches, the
 * message suggests the nearest name; else no matching form is measurable. */
int plan_no_match(const struct catalogue *c, const char *forms, struct err *e);

/* Make only the calibration experiments.  Owned by `a`. */
int plan_calibrate(struct arena *a, const struct catalogue *c,
		   struct experiment **ret, size_t *ret_n, struct err *e);

#endif
