/* Find the ports of a form's uops from saturation kernels.
 *
 * A uop that can use only some ports is confined to every set that contains
 * them. Cells are intersections of saturated sets; kernels cannot distinguish
 * anything smaller. The number of uops in each cell is a small integer problem.
 * The form's slots and its own rate decide what the kernels leave open. */
#ifndef PORTS_CELLS_H
#define PORTS_CELLS_H

#include "host/ports/ports.h"

struct cells_problem {
	size_t n_sets;
	const model_ports *sets; /* saturated; smallest first */
	const double *u; /* cycles confined to each; not finite: unknown */
	unsigned slots;  /* uops at most, including those without ports */
	/* Minimum number of uops when `slots` is only an upper bound; 0:
	 * `slots` is exact. */
	unsigned least;
	double width;
	double alone; /* cycles of the form alone */
	double above; /* how much faster it may be than measured, relative */
	/* Tolerance of u around whole numbers; 0: cells_some. */
	double rough;
	size_t effort; /* steps of the search, at most; 0: no limit */
};

struct cells_answer {
	size_t n_uses;
	struct model_use uses[MODEL_MAX_PORTS];
	double n_uops, cycles;
	/* Another answer fits all measurements as well. */
	bool is_open;
	/* The uses explain the time that the form takes alone. */
	bool explains;
};

/* Fraction of a uop above which a uop counts as present. */
extern const double cells_some;

/* Find the uses. Returns false when no whole numbers fit u; *ret is then
 * undefined. */
bool cells_solve(const struct cells_problem *p, struct cells_answer *ret);

#endif
