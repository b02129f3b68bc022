/* A compiled kernel: its hot loop, and what an iteration of it takes here. */
#ifndef TESTS_VALIDATE_SUBJECT_H
#define TESTS_VALIDATE_SUBJECT_H

#include "host/predict/loops.h"

struct subject {
	const char *name; /* "triad-gcc-O3-256" */
	struct program program;
	struct loop loop;
	double measured; /* cycles of an iteration */
};

/* The kernel in `base`.o and `base`.so, the same code twice.  ERR_FAILED with
 * the reason when it cannot be run or measured. */
int subject_measure(struct arena *a, const struct catalogue *c,
		    const char *base, struct subject *ret, struct err *e);

#endif
