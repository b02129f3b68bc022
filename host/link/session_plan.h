/* Plan of a session: the number of visits of each kernel, and the next range to
 * run.  Does no input or output.
 *
 * A pass makes one visit of each kernel, lowest rank first.  The kernels may be
 * divided into blocks: a block gets all its visits before the next one
 * starts. */
#ifndef LINK_SESSION_PLAN_H
#define LINK_SESSION_PLAN_H

#include "host/experiment/experiment.h"
#include "host/link/link.h"

enum {
	/* Kernels of one request without lists, and ranges of one list: few
	 * enough that a lost connection costs little, many enough that the
	 * round trip is negligible. */
	PLAN_CHUNK = 128,
	/* Kernels of a request of several lists: the board takes one list after
	 * another while the host stores what came.  At most a quarter of a
	 * second of work at 0.25 ms a kernel; fewer where little is left, so
	 * that all cores end together. */
	PLAN_MOST_LISTED = 2048,
	PLAN_LEAST_LISTED = 32,
	/* If a line loses one record in five, the chance to lose eight in a row
	 * of a kernel is three in a million. */
	PLAN_MAX_ATTEMPTS = 8,
	PLAN_MAX_DEATHS = 2,
	PLAN_RANKS = EXPERIMENT_N_RANKS,
};

/* plan_kernel.visits of a kernel that faulted or was lost. */
#define PLAN_FINISHED UINT32_MAX
#define PLAN_NONE     UINT32_MAX

struct plan_kernel {
	bool wanted;
	bool any;          /* need not have a quiet core */
	uint8_t rank;      /* less than PLAN_RANKS */
	uint8_t attempts;  /* requests without a result */
	uint8_t deaths;    /* deaths of the board while it ran */
	uint8_t hangs;     /* deaths by silence */
	uint8_t owner;     /* number of the plan that requested it; 0: none */
	uint8_t last_plan; /* number of the one of the last visit; 0: none */
	uint8_t check;     /* as in struct session */
	uint16_t block;
	uint32_t visits; /* stored visits: 0..visits-1 */
	uint32_t before; /* visits stored before this session */
	uint32_t goal;   /* visits to reach */
};

/* A request to a board: the kernels of from..to-1 that the plan owns, all of
 * one rank and with the same number of visits.  Some states of a core last for
 * seconds, so a kernel's next visit should be on another core. */
struct visit_request {
	uint32_t from, to, visit;
	uint32_t block;
	uint32_t pass; /* pass over the block: visits of this session */
	unsigned rank;
	/* Kernels whose last visit was the plan's own: they come after all
	 * others of the pass and rank. */
	bool again;
	/* Kernel that runs, or whose result is next; PLAN_NONE after the
	 * last. */
	uint32_t in_flight;
};

struct plan;

/* All work of a session, shared by its plans. */
struct plan_work {
	uint32_t n;
	struct plan_kernel *kernels;
	uint32_t n_passes; /* passes over a block */
	uint32_t n_blocks;
	uint32_t block;         /* approximate kernels per block; 0: one
				 * block */
	size_t n_done, n_total; /* visits of wanted kernels */
	size_t n_plans;
	/* Whose deaths are in the run's environment (deaths.h), or
	 * PLAN_NONE. */
	uint32_t died_at;
};

/* The plan of one core. */
struct plan {
	struct plan_work *work;
	uint8_t number;    /* starts at 1 */
	uint32_t n_ranges; /* ranges allowed in a request, at least 1 */
	uint32_t n_most;   /* kernels allowed in a request */
	struct visit_request request;
};

/* Initialise from the pack and the visits in the store. */
int plan_init(struct plan_work *w, struct arena *a, const struct session *q,
	      struct err *e);

/* Set visits[k] to the visits that kernel k has now, as store_progress() counts
 * them; and, unless `last` is NULL, last[k] as in struct session. */
void plan_count(const struct plan_work *w, uint32_t *visits, uint8_t *last);

/* Add a plan.  No two plans request the same kernel at a time. */
void plan_join(struct plan *p, struct plan_work *w);

/* Allow requests of several lists, of a size that suits what is left; or of one
 * range each. */
void plan_allow_lists(struct plan *p, bool lists);

/* Number of the request's pass, counted over all blocks. */
uint32_t plan_pass(const struct plan *p);

/* Did the store have samples of any kernel? */
bool plan_has_samples(const struct plan_work *w);

/* Set the goal of each kernel: `least` visits, as the board's clock needs; a
 * kernel that had them before the session gets `more` in addition. */
void plan_set_visits(struct plan_work *w, uint32_t least, uint32_t more);

/* Choose the next request.  False if every kernel has its visits or is
 * requested by another plan. */
bool plan_next(struct plan *p);

/* The next range of the request, at or after kernel `from`, that lacks its
 * visit; it becomes a run command.  Of a request of several ranges its kernels
 * are alike in `any`, and it becomes a range of a list.  False if there is
 * none. */
bool plan_range(const struct plan *p, uint32_t from, uint32_t *ret_from,
		uint32_t *ret_to);

/* Note that the board begins kernel k: its next death is of this kernel. */
void plan_start(struct plan *p, uint32_t k);

/* Note that a sample or fault of kernel k was stored. */
void plan_sample(struct plan *p, uint32_t k, uint32_t visit);
void plan_fault(struct plan *p, uint32_t k);

/* Does every kernel of the request have a result? */
bool plan_request_complete(const struct plan *p);

/* The board reports the request as done: plan_count_attempt() counts an attempt
 * for each kernel without a result. plan_given_up() returns a kernel with too
 * many attempts, or PLAN_NONE; report it with plan_fault() and call again. */
void plan_count_attempt(struct plan *p);
uint32_t plan_given_up(const struct plan *p);

#endif
