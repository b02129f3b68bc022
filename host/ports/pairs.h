/* How many ports two classes can use together, from what is measured and from
 * what follows: a pair that follows need not be measured. */
#ifndef PORTS_PAIRS_H
#define PORTS_PAIRS_H

#include "host/ports/ports.h"

struct pair_bounds {
	size_t n;
	unsigned cap;
	unsigned size[PORTS_MAX_CLASSES];
	bool out[PORTS_MAX_CLASSES];
	/* Of the union. */
	unsigned low[PORTS_MAX_CLASSES][PORTS_MAX_CLASSES];
	unsigned high[PORTS_MAX_CLASSES][PORTS_MAX_CLASSES];
};

/* Bounds before anything is measured; n, cap and size are set. */
void pairs_start(struct pair_bounds *b);

/* A measured union; `low` may be beyond `cap`, then only that is known.  False
 * when it contradicts what is known: then nothing changes. */
bool pairs_note(struct pair_bounds *b, size_t i, size_t j, unsigned low,
		unsigned high);

/* Carry bounds on until nothing moves. */
void pairs_settle(struct pair_bounds *b);

/* Is it known as far as it can be seen? */
bool pairs_known(const struct pair_bounds *b, size_t i, size_t j);

#endif
