/* Loads of bytes that several stores wrote, or a store and older ones: no store
 * has all of the data, so the load waits until it is in the cache.  A store
 * behind such a load gets there later than the load has retired, so that these
 * loads follow one another.
 *
 * A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs", on store
 * forwarding stalls, has when it fails and the cycles.  That these loads follow
 * one another is what measured blocks show. */
#include <stdlib.h>

#include "host/effect/effect.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_blocked_forwarding;

/* ---- model --------------------------------------------------------------- */

struct blocked {
	double cycles; /* from the store to the loaded data; 0: not published */
};

static void complete(const struct completion *k, void *ret)
{
	const char *published = completed_fact(k, "blocked_forwarding");
	struct blocked *x = ret;

	if (published)
		x->cycles = strtod(published, NULL);
}

/* ---- loops --------------------------------------------------------------- */

/* Cycles of an iteration.  A blocked load whose store is older than the blocked
 * load before it waits with that one. */
static double bound_cycles(const struct body *b)
{
	const struct blocked *x =
		b->completion
			->effects[effect_number(&effect_blocked_forwarding)];
	int64_t last = INT64_MIN; /* blocked load, counted through the loop */
	double n = 0;

	if (x->cycles <= 0 || !b->stores)
		return 0;
	/* The second time the iteration before is known. */
	for (uint32_t i = 0; i < 2 * b->n; i++) {
		uint32_t op = (uint32_t)(i % b->n), from, distance;
		int64_t store;

		if (!b->ops[op].load || !place_blocks(b, op, &from, &distance))
			continue;
		store = (int64_t)(i / b->n * b->n) + from -
			(int64_t)(distance * b->n);
		if (store <= last)
			continue;
		last = i;
		n += i >= b->n;
	}
	return n * x->cycles;
}

static const struct effect_bound bound = {
	.text = "blocked store forwarding",
	.html = "Blocked store forwarding",
	.json = "blocked_bound",
	.reason = "loads that wait for stores of a part of their data",
	.cycles = bound_cycles,
};

const struct effect effect_blocked_forwarding = {
	.name = "blocked_forwarding",
	.completed_bytes = sizeof(struct blocked),
	.complete = complete,
	.bound = &bound,
};
