/* Controls that break a latency cycle at one of its links. */
#ifndef PLAN_LINKS_H
#define PLAN_LINKS_H

#include "host/experiment/experiment.h"

/* Cores of some ISAs start instructions in program order: a step of a latency
 * cycle may wait for the step before it, for another source, or for its turn.
 * The time of the cycle is a sum of latencies only if each step waits
 * for the step before it.  These functions plan the kernels that show this;
 * they plan none for ISAs without such cores. */

/* For each carrier that list[0..n) uses, call add() with a latency cycle of its
 * steps alone. */
void links_loops(const struct catalogue *c, const struct experiment *list,
		 size_t n,
		 void (*add)(void *context, const struct experiment *x),
		 void *context);

/* Call add() with the controls of each latency cycle of list[0..n): one for
 * each step that has a further source.  In it, this step reads a constant or
 * another place in memory.  Of the steps of a carrier, only the first has
 * one. */
void links_controls(const struct catalogue *c, const struct experiment *list,
		    size_t n,
		    void (*add)(void *context, const struct experiment *x),
		    void *context);

/* If list[0..n) has an experiment with a helper, call add() with a latency
 * cycle and its controls that show whether the core starts instructions in
 * program order (docs/method/program-order.md): a form may wait for a helper's result
 * there. */
void links_order(const struct catalogue *c, const struct experiment *list,
		 size_t n,
		 void (*add)(void *context, const struct experiment *x),
		 void *context);

#endif
