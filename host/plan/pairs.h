/* Which (source, destination) pairs of a form can be chained by that form
 * alone. */
#ifndef PLAN_PAIRS_H
#define PLAN_PAIRS_H

#include "host/experiment/experiment.h"

enum {
	/* Helpers one experiment may need: flags and a few registers. */
	PAIR_MAX_CUTS = 3,
};

/* The dependencies of the form other than the pair's that reach its next
 * instance through an implicit register.  A helper of the bank named here must
 * cut each. */
struct pair {
	int src, dst;
	size_t n_cuts;
	uint8_t cuts[PAIR_MAX_CUTS]; /* enum reg_bank */
};

enum pair_verdict {
	PAIR_OK,
	PAIR_OTHER_CLASS, /* source and destination share no register */
	PAIR_COUPLED,     /* another dependency cannot be separated */
};

/* Can the pair be chained with itself?  On PAIR_OK fills *ret. */
enum pair_verdict pair_check(const struct catalogue *c, const struct form *form,
			     int src, int dst, struct pair *ret);

/* The cuts that independent instances of the form need; false if there are
 * more than PAIR_MAX_CUTS. */
bool pair_independent(const struct catalogue *c, const struct form *form,
		      struct pair *ret);

/* The form that cuts a dependency of `of` through a bank; NULL if the ISA
 * has none. */
const struct form *pair_breaker(const struct catalogue *c,
				const struct form *of, uint8_t bank);

/* Append the helpers that a pair of the experiment's first form needs; false
 * if the ISA has none for a cut, or the experiment no room. */
bool pair_add_helpers(const struct catalogue *c, const struct pair *pair,
		      struct experiment *x);

/* The experiment with copies of a register in place of its helpers that write
 * a number to one: a helper may disturb what it cuts on one core, and another
 * one not.  False if it has no such helper. */
bool pair_other_helpers(const struct catalogue *c, const struct experiment *x,
			struct experiment *ret);

#endif
