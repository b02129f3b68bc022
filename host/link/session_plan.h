/* What a session still has to ask for: one visit count per kernel, and the
 * next range to run.  Pure bookkeeping, no input or output.
 *
 * A session makes passes over its kernels, a visit of each; in a pass the
 * kernels of the lowest rank come first.  Many kernels may be divided into
 * blocks: those of the first get all their visits before the next begins. */
#ifndef LINK_SESSION_PLAN_H
#define LINK_SESSION_PLAN_H

#include "host/experiment/experiment.h"
#include "host/link/link.h"

enum {
	/* Kernels of one request: small enough that a lost connection costs
	 * little, large enough that its round trip costs nothing. */
	PLAN_CHUNK = 128,
	/* Run commands of one request, where the board's stream queues them:
	 * three kilobytes, far less than a socket holds.  A round trip to a
	 * process takes 0.07 ms, as long as a fifth of a kernel, and kernels of
	 * a rank stand alone mostly. */
	PLAN_RANGES = 40,
	/* A line that loses one record in five loses eight in a row of the
	 * same kernel three times in a million. */
	PLAN_MAX_ATTEMPTS = 8,
	PLAN_MAX_DEATHS = 2,
	PLAN_RANKS = EXPERIMENT_N_RANKS,
};

/* visits[k] of a kernel that is finished: faulted, lost. */
#define PLAN_FINISHED UINT32_MAX
#define PLAN_NONE     UINT32_MAX

struct plan_kernel {
	bool wanted;
	uint8_t rank;     /* below PLAN_RANKS */
	uint8_t attempts; /* requests that brought nothing */
	uint8_t deaths;   /* of the board while it ran */
	uint8_t hangs;    /* those of them that were silence */
	uint8_t owner;    /* plan that has asked for it, from 1 on; 0: none */
	uint16_t block;
	uint32_t visits; /* stored: 0..visits-1 are there */
	uint32_t before; /* of them: before this session */
	uint32_t goal;   /* visits that it shall have */
};

/* What a board has been asked for and what came of it: kernels of from..to-1
 * that the plan owns, of the same rank and the same number of visits. */
struct plan_request {
	uint32_t from, to, visit;
	uint32_t block;
	uint32_t pass; /* over the block: visits beyond those of before */
	unsigned rank;
	uint32_t in_flight; /* next kernel expected, PLAN_NONE after the last */
};

struct plan;

/* All there is to do, and who is at it. */
struct plan_work {
	uint32_t n;
	struct plan_kernel *kernels;
	uint32_t n_passes; /* over a block */
	uint32_t n_blocks;
	uint32_t block;         /* kernels of one, about; 0: all */
	size_t n_done, n_total; /* visits of wanted kernels */
	size_t n_plans;
};

/* One core's part in it. */
struct plan {
	struct plan_work *work;
	uint8_t number;    /* from 1 on */
	uint32_t n_ranges; /* that a request may have, at least 1 */
	struct plan_request request;
};

/* Set up from the pack and what the store already has. */
int plan_init(struct plan_work *w, struct arena *a, const struct session *q,
	      struct err *e);

/* Take part: what one core has asked for, no other does. */
void plan_join(struct plan *p, struct plan_work *w);

/* The number of the request's pass among those over all blocks. */
uint32_t plan_pass(const struct plan *p);

/* Does the store have samples of any kernel? */
bool plan_has_samples(const struct plan_work *w);

/* Each kernel shall have the `least` visits that the board's clock asks for;
 * one that had them before the session, `more`. */
void plan_set_visits(struct plan_work *w, uint32_t least, uint32_t more);

/* Choose the next request; false when every kernel has its visits, or will
 * have them from others. */
bool plan_next(struct plan *p);

/* The next range of the request, at kernel `from` or behind it, that still
 * lacks its visit: a run command.  False when there is none. */
bool plan_range(const struct plan *p, uint32_t from, uint32_t *ret_from,
		uint32_t *ret_to);

/* A sample or fault of kernel k has been stored. */
void plan_sample(struct plan *p, uint32_t k, uint32_t visit);
void plan_fault(struct plan *p, uint32_t k);

/* Has every kernel of the request been heard of? */
bool plan_request_complete(const struct plan *p);

/* The board says the request is done, but kernels are missing: counts the
 * attempt.  Returns one that was asked for too often, or PLAN_NONE; call
 * until it returns PLAN_NONE. */
void plan_count_attempt(struct plan *p);
uint32_t plan_given_up(const struct plan *p);

#endif
