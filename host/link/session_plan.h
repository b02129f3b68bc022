/* What a session still has to ask for: one visit count per kernel, and the
 * next range to run.  Pure bookkeeping, no input or output. */
#ifndef LINK_SESSION_PLAN_H
#define LINK_SESSION_PLAN_H

#include "host/link/link.h"

enum {
	/* Kernels of one run command: small enough that a lost connection
	 * costs little, large enough that its round trip costs nothing. */
	PLAN_CHUNK = 128,
	/* A line that loses one record in five loses eight in a row of the
	 * same kernel three times in a million. */
	PLAN_MAX_ATTEMPTS = 8,
	PLAN_MAX_DEATHS = 2,
};

/* visits[k] of a kernel that is finished: faulted, lost. */
#define PLAN_FINISHED UINT32_MAX
#define PLAN_NONE     UINT32_MAX

struct plan_kernel {
	bool wanted;
	uint8_t attempts; /* requests that brought nothing */
	uint8_t deaths;   /* of the board while it ran */
	uint8_t hangs;    /* those of them that were silence */
	uint32_t visits;  /* stored: 0..visits-1 are there */
};

/* A run command and what came of it. */
struct plan_request {
	uint32_t from, to, visit;
	uint32_t in_flight; /* next kernel expected, PLAN_NONE after the last */
};

struct plan;

/* All there is to do, and who is at it. */
struct plan_work {
	uint32_t n;
	struct plan_kernel *kernels;
	uint32_t n_visits;      /* of each kernel */
	size_t n_done, n_total; /* visits of wanted kernels */
	size_t n_plans;
	const struct plan *plans[LINK_MAX_CORES];
};

/* One core's part in it. */
struct plan {
	struct plan_work *work;
	struct plan_request request;
};

/* Set up from the pack and what the store already has. */
int plan_init(struct plan_work *w, struct arena *a, const struct session *q,
	      struct err *e);

/* Take part: what one core has asked for, no other does. */
void plan_join(struct plan *p, struct plan_work *w);

/* Does the store have samples of any kernel? */
bool plan_has_samples(const struct plan_work *w);

/* How many visits the board's clock asks for. */
void plan_set_visits(struct plan_work *w, uint32_t n_visits);

/* Choose the next request; false when every kernel has its visits, or will
 * have them from others. */
bool plan_next(struct plan *p);

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
