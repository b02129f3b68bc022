/* The score of a run: its answers compared with the truth. */
#ifndef ADVERSARY_SCORE_H
#define ADVERSARY_SCORE_H

#include <stdio.h>

#include "tests/adversary/rounds.h"

/* Requirements of a run. */
enum requirement {
	REQUIRE_VALUED, /* of the kernels that can be measured, 97 % */
	REQUIRE_CLOSE,  /* of the valued, 99 % within 1 % */
	REQUIRE_RIGHT,  /* none ok and off by more than 3 % */
	REQUIRE_TIME,   /* three times that of the undisturbed machine */
	/* On an undisturbed machine all valued, within 1 %, and 99.5 % of them
	 * within 0.5 %, as far as a coarse clock allows. */
	REQUIRE_QUIET,
	N_REQUIREMENTS,
};

struct score {
	unsigned n, n_valued, n_wrong;
	unsigned n_resolvable, n_close; /* of the valued; within 1 % */
	/* In classes that are undisturbed often enough, not out of reach. */
	unsigned n_required, n_required_valued;
	double worst;   /* error of an ok value, relative, with its sign */
	double silence; /* undisturbed share of rows, in the worst class */
	double time;    /* relative to the undisturbed machine */
	double visits;  /* per kernel */
	bool given_up;
	bool failed[N_REQUIREMENTS];
};

const char *score_requirement(enum requirement q);

/* Score a run; `silent`: a run of the same machine, undisturbed. */
struct score score_run(const struct machine *m, const struct kernels *k,
		       const struct outcome *run, const struct outcome *silent);

bool score_passes(const struct score *s);

/* Print one line; failures come first. */
void score_print(const struct score *s, FILE *out);

/* A line for each kernel without a right value. */
void score_print_wrong(const struct kernels *k, const struct outcome *run,
		       FILE *out);

#endif
