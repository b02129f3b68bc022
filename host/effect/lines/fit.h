/* Short loops and the lines of code they are in: how long the front end takes
 * for an iteration. */
#ifndef EFFECT_LINES_FIT_H
#define EFFECT_LINES_FIT_H

#include "host/model/model.h"

/* A measured loop: slots in its first line of code and in the next one, which
 * may be 0; cycles of an iteration. */
struct lines_loop {
	uint32_t first, second;
	double cycles;
};

/* The rule that n measured loops follow.  `width`: slots that are dispatched
 * per cycle, above 0.  Of rules that are equally good, within 1 % of a loop's
 * cycles, `together` counts first, then `each` with the smallest `free`.  n of
 * the result is 0 if no loop is in one line; its rule is unknown if the loops
 * of two lines are off by more than 5 % on average. */
struct model_lines lines_fit(const struct lines_loop *list, size_t n,
			     double width);

/* Least cycles of an iteration of a loop with slots[i] in its i-th line of
 * code, n lines; 0: not known. */
double lines_cycles(const struct model_lines *m, const double *slots, size_t n);

#endif
