/* The number of ports in the union of two classes, measured or derived. Pairs
 * whose union is derived need not be measured. */
#ifndef PORTS_PAIRS_H
#define PORTS_PAIRS_H

#include "host/ports/ports.h"

struct pair_bounds {
	size_t n;
	unsigned cap;
	unsigned size[PORTS_MAX_CLASSES];
	bool out[PORTS_MAX_CLASSES];
	/* Size of the union. */
	unsigned low[PORTS_MAX_CLASSES][PORTS_MAX_CLASSES];
	unsigned high[PORTS_MAX_CLASSES][PORTS_MAX_CLASSES];
};

/* Set the bounds before any measurement; n, cap and size must be set. */
void pairs_start(struct pair_bounds *b);

/* Record a measured union. If `low` exceeds `cap`, the union has more than
 * `cap` ports. Returns false and changes nothing when the value contradicts the
 * bounds. */
bool pairs_note(struct pair_bounds *b, size_t i, size_t j, unsigned low,
		unsigned high);

/* Propagate bounds until they no longer change. */
void pairs_settle(struct pair_bounds *b);

/* Is the union known, as far as it is visible below the cap? */
bool pairs_known(const struct pair_bounds *b, size_t i, size_t j);

#endif
