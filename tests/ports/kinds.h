/* The kinds of invented cores that solver.c takes. */
#ifndef TESTS_PORTS_KINDS_H
#define TESTS_PORTS_KINDS_H

#include "tests/ports/truth.h"

/* The kinds of cores, with limits for regressions: a little worse than what is
 * found. */
struct kind {
	const char *name;
	double least_right, most_error; /* unions; mean error of mixes */
	double most_wrong, most_open;   /* shares of claims; of all forms */
	bool greedy, uneven, spent, batches, published;
	/* Make the core one of this kind; false if it cannot be one.  NULL:
	 * every core is. */
	bool (*change)(struct truth *t);
};

/* The kind of this name; NULL: there is none, and the names of all are printed. */
const struct kind *kinds_find(const char *name);

#endif
