/* Controls that break a latency cycle at one of its links. */
#ifndef PLAN_LINKS_H
#define PLAN_LINKS_H

#include "host/experiment/experiment.h"

/* Cores of some ISAs start instructions in program order: a step of a latency
 * cycle may wait for the step before it, for another source, or for its turn.
 * Only the first makes the time of the cycle a sum of latencies.  These plan
 * what shows it; nothing for ISAs without such cores. */

/* Call add() with the steps of each carrier that list[0..n) uses in turn, as a
 * latency cycle. */
void links_loops(const struct catalogue *c, const struct experiment *list,
		 size_t n,
		 void (*add)(void *context, const struct experiment *x),
		 void *context);

/* Call add() with the controls of each latency cycle of list[0..n): one for each
 * step with a further source, in which it reads a constant, or another place in
 * memory.  Of carriers, only for the first. */
void links_controls(const struct catalogue *c, const struct experiment *list,
		    size_t n,
		    void (*add)(void *context, const struct experiment *x),
		    void *context);

#endif
