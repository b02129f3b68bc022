/* Does a kernel run at one speed?  From the values of its visits. */
#ifndef SOLVE_STATES_H
#define SOLVE_STATES_H

#include "host/solve/candidates.h"

/* Least relative distance between states of a kernel: more than values that
 * agree, and less than the closest known states (METHOD: 0.250 and 0.271
 * cycles). */
static const double states_apart = 0.03;

/* Do the kernels of a class have states?  Many of their visits are wrong, where
 * disturbances alone would make few wrong. */
bool states_are_frequent(const struct reliability *t);

/* Do the visits that are slower than the chosen value show a state of the
 * kernel, and not disturbances?  `other` is the slower value that most visits
 * share, or that of one visit if none agree; `cycles` are those of the chosen
 * value. */
bool states_are_two(const struct reliability *t, const struct candidates *b,
		    const struct value *chosen, const struct value *other,
		    double cycles);

/* Do visits, or rows of visits, scatter around the chosen value, so that some
 * agree by chance?  If so, *low and *high are extended to the values of the
 * visits near the chosen one, and to the middle half of the rows of each.
 *
 * levels_agree: the levels agree with the value (levels.h).  Then other visits
 * are not evidence against it, but rows that scatter are: they may have levels
 * by chance. */
struct states_value {
	const struct reliability *reliability;
	const struct candidates *candidates;
	const struct value *chosen;
	bool levels_agree;
};
bool states_scatter(const struct kernel_visits *t, const struct states_value *v,
		    double *low, double *high);

#endif
