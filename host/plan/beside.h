/* What circles through several forms need beside themselves. */
#ifndef PLAN_BESIDE_H
#define PLAN_BESIDE_H

#include "host/experiment/experiment.h"

/* To add() for the circles of list[0..n), as far as the list has none: the
 * chains of parts that can be chained alone, which say what the part costs, and
 * their broken twins; circles of the others, the bridges; and independent
 * instances of each form, without which nothing tells whether the circle was
 * gone round. */
void beside_circles(const struct catalogue *c, const struct experiment *list,
		    size_t n,
		    void (*add)(void *context, const struct experiment *x),
		    void *context);

#endif
