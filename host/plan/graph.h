/* Latency between different register classes.  No chain of one form alone
 * leads back to where it began, so bridges - forms of the ISA that move a
 * value from one bank to another - close the circle. */
#ifndef PLAN_GRAPH_H
#define PLAN_GRAPH_H

#include "host/plan/pairs.h"

/* The circle of a form's pair and one or two bridges.  False when the pair
 * cannot be chained: no bridges lead back, or the form depends on itself
 * through a register of the pair.  *ret_cuts: what helpers must cut besides. */
bool graph_chain(const struct catalogue *c, const struct form *form, int src,
		 int dst, struct experiment *ret, struct pair *ret_cuts);

#endif
