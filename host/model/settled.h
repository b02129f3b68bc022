/* What claims say: their verdicts, values and kinds. */
#ifndef MODEL_SETTLED_H
#define MODEL_SETTLED_H

#include "host/model/fields.h"
#include "host/store/store_claim.h"

/* Does the claim have a value that a model uses? */
bool claim_taken(const struct claim *c);

/* Are the claim's bounds valid?  False for unknown verdicts. */
bool claim_settled(const struct claim *c);

/* How certain the ports of a taken claim of them are; MARK_NONE: it is of
 * something else. */
struct model_mark claim_mark(const struct claim *c);

/* Are low and high two observed values, rather than bounds of one? */
bool claim_two_values(const struct claim *c);

/* The value of a settled claim that has a single value: the middle of bounds no
 * wider than the clock's resolution.  False if there is none. */
bool claim_exact(const struct claim *c, double *ret);

/* Is the claim of this kind? */
bool claim_is(const struct claim *c, const char *kind);

/* Its interval, and the middle of it. */
struct model_span claim_span(const struct claim *c);
double claim_middle(const struct claim *c);

/* The size of a queue, from 1 to below a million entries; 0: it is none. */
uint32_t claim_size(const struct claim *c);

/* The claim's value as a whole number from 0 to below `limit`; -1: invalid. */
int claim_whole(const struct claim *c, int limit);

/* Set the field that such claims give, if the value is one that a model uses.
 * False: no field of this record is of such claims. */
bool claim_set_field(const struct claim *c, const struct model_record *r,
		     void *record);

#endif
