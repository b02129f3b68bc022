/* Experiments that bound the parts of latency cycles. */
#ifndef PLAN_CYCLE_PARTS_H
#define PLAN_CYCLE_PARTS_H

#include "host/experiment/experiment.h"

/* Call add() for what the latency cycles of list[0..n) need and the list
 * lacks: chains of parts that can be chained alone, and their controls;
 * latency cycles of the other parts, the bridges; and independent
 * instances of each form, because a cycle shows only if it costs more than
 * the throughputs of its parts. */
void cycle_parts(const struct catalogue *c, const struct experiment *list,
		 size_t n,
		 void (*add)(void *context, const struct experiment *x),
		 void *context);

#endif
