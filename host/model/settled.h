/* Which claims say something outside of this program, and what. */
#ifndef MODEL_SETTLED_H
#define MODEL_SETTLED_H

#include "host/store/store.h"

/* Do the claim's bounds hold?  Verdicts not known here do not. */
bool claim_settled(const struct claim *c);

/* Are they two values, both real, rather than one in between? */
bool claim_two_values(const struct claim *c);

/* The value of a settled claim that has a single one: the middle of bounds
 * that only leave room for what the clock cannot tell. */
bool claim_exact(const struct claim *c, double *ret);

#endif
