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

/* Are the visits slower than the chosen value a state of the kernel, and not
 * disturbances?  `other` is the slower value that most visits share, or that of
 * one visit if none agree; `cycles` is what the chosen one costs. */
bool states_are_two(const struct reliability *t, const struct candidates *b,
		    const struct value *chosen, const struct value *other,
		    double cycles);

/* Do the visits scatter around the chosen value, or their rows, so that some
 * agree by chance?  Levels that agree with the value (levels.h) are evidence for
 * it against other visits, but rows that scatter have levels by chance, too.  If
 * so, *low and *high are extended to all of these visits and the middle half of
 * their rows. */
bool states_scatter(const struct kernel_visits *t,
		    const struct reliability *reliability,
		    const struct candidates *b, const struct value *chosen,
		    bool levels_agree, double *low, double *high);

#endif
