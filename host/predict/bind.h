/* The passes that bind a loop to a model; bind.c has their order. */
#ifndef PREDICT_BIND_H
#define PREDICT_BIND_H

#include "host/predict/body.h"

/* ---- passes over each instruction -------------------------------------- */

/* costs.c: the form of the model that has the costs. */
void bind_form(struct body *b, struct op *o);

/* operands.c: reads, writes, loads and stores; zero idioms, and other forms for
 * instructions on a stack of registers. */
void bind_operands(struct body *b, struct op *o);

/* costs.c: slots, uses of ports, layers of the values; eliminated moves. */
void bind_costs(struct body *b, struct op *o);

/* latency.c: op.latency and op.store_end. */
void bind_latencies(struct body *b, struct op *o);

/* costs.c: what the user must know of values that are assumed. */
void bind_assumption(struct body *b, struct op *o);

/* ---- passes over the whole body ---------------------------------------- */

/* places.c: symbolic addresses. */
void bind_places(struct body *b);

/* ports.c: make pseudo ports of the pools that forms of the body need, and of
 * the contention of loads and stores.  If there are any, b->model becomes a
 * copy with these and the ports that the body uses; else it stays. */
void bind_pools(struct body *b);

/* ports.c: mark macro-fused pairs.  The second instruction takes no slots.  The
 * first has no ports of its own, and is not charged to pools to which the
 * second is.  A first instruction that loads keeps them, as one before a second
 * without uses. */
void bind_fused(struct body *b);

#endif
