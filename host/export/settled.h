/* Which claims say something outside of this program. */
#ifndef EXPORT_SETTLED_H
#define EXPORT_SETTLED_H

#include "host/store/store.h"

/* Do the claim's bounds hold?  Verdicts not known here do not. */
bool claim_settled(const struct claim *c);

/* Are they two values, both real, rather than one in between? */
bool claim_two_values(const struct claim *c);

#endif
