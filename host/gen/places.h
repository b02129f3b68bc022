/* The places in memory that a kernel accesses; the layouts of its forms
 * determine their distance.  Only address.c and places.c include this. */
#ifndef GEN_PLACES_H
#define GEN_PLACES_H

#include "host/gen/assigner.h"
#include "host/isa/variant.h"

enum {
	PLACES_MIDDLE = 2048, /* of the memory a kernel has */
	/* No core starts more loads in a cycle. */
	PLACES_FEW = 4,
	/* Of each form of a mix, above the middle; plain stores share one. */
	PLACES_REGION = 256,
	/* There is as much memory above the middle as below. */
	PLACES_REGIONS = PLACES_MIDDLE / PLACES_REGION,
};

static inline const struct experiment_step *places_step(
	const struct assigner *a, size_t s)
{
	return &a->x->steps[s];
}

static inline bool places_modify(const struct form *f)
{
	return f->access == (ACCESS_LOAD | ACCESS_STORE);
}

static inline unsigned places_boundary(const struct form *f)
{
	return f->variant ? f->variant->boundary : 0;
}

/* Is there a displacement that may vary? */
static inline bool places_by_number(const struct form *f)
{
	return form_part(f, ROLE_DISPLACEMENT) >= 0;
}

/* Does no other step access memory? */
bool places_alone(const struct assigner *a, size_t s);

/* Does no chain run through the address? */
bool places_unchained(const struct experiment_step *s);

/* Do the instances of this step access different places by their
 * displacement?  Not if a chain goes through memory or through the address,
 * except stores in a latency cycle: the next instance would wait for the
 * store. */
bool places_move_on(const struct assigner *a, size_t s);

/* Is the step one of a mix's plain stores (gen_shares_line())? Their places lie
 * in one line of the cache, unless one needs a base of its own to reach it and
 * no register is left. */
bool places_in_line(const struct assigner *a, size_t s);

/* In a mix: bytes from the middle to the form's region.  Each form with a base
 * register has its own, but those in_line share one; the form after
 * PLACES_REGIONS of them has the first one's again. */
int64_t places_region(const struct assigner *a, size_t s);

/* In a mix: does the displacement reach a region for this form alone? */
bool places_reach_region(const struct assigner *a, size_t s);

#endif
