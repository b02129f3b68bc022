/* Where the uops of a form go, from what floods of sets of ports show of it.
 *
 * A uop that can only use some ports is confined to every set around them.
 * Sets that are told apart are those that floods meet in: intersections of
 * flooded sets.  How many uops each of them has is a small problem in whole
 * numbers, and the slots of the form and its own rate decide what floods leave
 * open. */
#ifndef PORTS_CELLS_H
#define PORTS_CELLS_H

#include "host/ports/ports.h"

struct cells_problem {
	size_t n_sets;
	const model_ports *sets; /* flooded; smallest first */
	const double *u;         /* cycles confined to each; not finite: not
				  * known */
	unsigned slots;          /* uops at most, with those no port shows */
	/* Uops at least, where `slots` is only a bound; 0: as many. */
	unsigned least;
	double width;
	double alone; /* cycles of the form by itself */
	double above; /* it may be so much faster than measured, relative */
	/* u may be so far off a whole number; 0: cells_some. */
	double rough;
	size_t effort; /* steps of the search; 0: as many as there may be */
};

struct cells_answer {
	size_t n_uses;
	struct model_use uses[MODEL_MAX_PORTS];
	double n_uops, cycles;
	/* Another answer agrees as well with all that is known. */
	bool is_open;
	/* Cycles that it takes alone are those measured. */
	bool explains;
};

/* A share of a uop that counts as one that is there. */
extern const double cells_some;

/* False when no whole numbers agree with u. */
bool cells_solve(const struct cells_problem *p, struct cells_answer *ret);

#endif
