/* Which claims say something outside of this program, and what. */
#ifndef MODEL_SETTLED_H
#define MODEL_SETTLED_H

#include "host/store/store.h"

/* Are the claim's bounds valid?  False for unknown verdicts. */
bool claim_settled(const struct claim *c);

/* Are low and high two observed values, rather than bounds of one? */
bool claim_two_values(const struct claim *c);

/* The value of a settled claim that has a single value: the middle of bounds no
 * wider than the clock's resolution.  False if there is none. */
bool claim_exact(const struct claim *c, double *ret);

#endif
