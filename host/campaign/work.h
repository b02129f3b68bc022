/* What each kernel of a run has and what it lacks: visits, whether they agree,
 * and what the next round does with it. */
#ifndef CAMPAIGN_WORK_H
#define CAMPAIGN_WORK_H

#include "host/base/arena.h"
#include "host/campaign/pace.h"

/* Checks: one more visit of kernels whose visits agree, made in rounds that
 * have fewer than PACE_SMALL (pace.h) kernels of their own for each core.  A
 * state of the core that lasted through both visits of a kernel shows in a
 * later one on another core: the value then counts as doubtful, and the class
 * of the kernel as less reliable (docs/method/order.md). */
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

/* ---- all kernels --------------------------------------------------------- */

/* Arrays of n, by kernel; owned by the arena of work_init(). */
struct work {
	size_t n; /* kernels of the pack */
	const struct pack_kernel *kernels;
	/* Measure these kernels, settled or not; NULL: all that are not
	 * settled. */
	const bool *wanted;
	uint8_t *rank;
	bool *settled;      /* needs no more visits */
	bool *unproved;     /* struct solve_progress */
	uint32_t *visits;   /* as store_progress() */
	uint8_t *last_core; /* as in struct session, as are these: */
	bool *skip, *any;
	uint8_t *check;
	struct checks checks;
	bool *may_check; /* of struct checks_request, for this round */
};

/* All kernels of a pack that pack_check() accepted, without visits. */
void work_init(struct work *w, struct arena *a, const void *pack,
	       const bool *wanted);

/* Does kernel k only calibrate?  Is it to be measured at all? */
bool work_is_calib(const struct work *w, size_t k);
bool work_is_wanted(const struct work *w, size_t k);

/* A kernel without a sample is not settled. */
void work_drop_missing(bool *settled, const uint32_t *visits, size_t n);

/* Set n_open to how many wanted kernels of each rank are not settled.  Returns
 * how many have fewer than PACE_FEW_VISITS visits and get more when all ranks
 * have ended. */
size_t work_open(const struct work *w, size_t n_open[PACE_RANKS]);

/* Set ret to how many kernels of each rank a check of this round has opened. */
void work_opened(const struct work *w, size_t ret[PACE_RANKS]);

/* Choose the kernels of a round: skip[k] is false for them.  No kernel is
 * checked. */
void work_choose(struct work *w, const struct pace_round *round);

/* Add checks to a round that has room for so many kernels in each pass.
 * first_visits: those that all kernels have. */
void work_add_checks(struct work *w, const struct pace_round *round,
		     size_t room, uint32_t first_visits);

#endif
