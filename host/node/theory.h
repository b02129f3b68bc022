/* What the port model and the measured transfers allow. */
#ifndef NODE_THEORY_H
#define NODE_THEORY_H

#include "host/model/complete.h"
#include "host/node/node.h"

/* Set in_core, theory, ecm, allocated and is_outside of every row.
 *
 * theory: operations of an iteration over its predicted cycles, at the row's
 * own clock, times the active cores.
 *
 * ecm: the composition of the Execution-Cache-Memory model (Stengel, Treibig,
 * Hager, Wellein, ICS 2015) without overlap: the measured time in the first
 * cache, and for each boundary behind it the lines that cross it times the
 * time that a line adds to the load kernel there.  A store's line crosses
 * twice: it is read before it is written.
 *
 * is_outside: a load from the row's level takes more than half of the time of
 * one from memory, on one core.
 *
 * `k` NULL: without the port model.  ERR_INPUT as predict(). */
int node_theory(struct arena *a, struct node_result *r, struct completion *k,
		struct err *e);

#endif
