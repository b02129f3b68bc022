/* Checks: one more visit of kernels whose visits agree, made in rounds that
 * have fewer than PACE_SMALL (pace.h) kernels of their own for each core.  A
 * state of the core that lasted through both visits of a kernel shows in a
 * later one on another core: the value then counts as doubtful, and the class
 * of the kernel as less reliable (docs/method.md). */
#ifndef CAMPAIGN_CHECKS_H
#define CAMPAIGN_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* One kernel in so many is a candidate, once in a run, and checked if
	 * it may be when its turn comes.  Neighbours in a pack are alike, so
	 * these are of all classes. */
	CHECKS_ONE_IN = 20,
};

/* Zero-initialise. */
struct checks {
	size_t n_seen; /* candidates that had their turn */
};

struct checks_request {
	size_t n; /* kernels of the pack */
	/* Kernels that may be checked: settled, and with just the visits that
	 * all have. */
	const bool *may;
	uint32_t n_passes; /* of the round */
	size_t room;       /* kernels that a pass has room for */
};

/* Choose kernels for a round: pass[k] = the pass, 1 the first, in which kernel
 * k gets a visit, or 0.  Returns how many are chosen. */
size_t checks_choose(struct checks *c, const struct checks_request *q,
		     uint8_t *pass);

#endif
