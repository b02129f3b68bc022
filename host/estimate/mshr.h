/* Misses in flight: how much of their latency shows, and how many entries (miss
 * status holding registers) they keep busy.
 *
 * An access is dispatched when its program comes to it, and when all accesses
 * that lie a window of instructions or more before it have completed:
 *
 *	fetched[i]  = max(dispatch[i - 1] + time[i] - time[i - 1],
 *	                  completed[redirect]) + refill[i]
 *	dispatch[i] = max(fetched[i],
 *	                  retired[last j with order[j] + window <= order[i]])
 *	ready[i]    = max(dispatch[i], completed[depends])
 *
 * `redirect` is the load that a mispredicted jump before i waited for.  An
 * access whose page is not in the first TLB is ready `translate` cycles later.
 * If it walks the page tables, these cycles begin when one of the walkers is
 * free, and `interval` cycles after the begin of the walk before or later.
 * An access to a page in translation is ready when that translation ends.
 *
 * An access to a line in flight completes with it.  Any other miss takes one of
 * the entries, in program order, as soon as it is ready and one is free, for
 * its latency.  A hit completes after its latency.  retired[i] is the last
 * completion up to i of accesses that hold up retirement: a store does not.
 *
 * A line that is fetched in advance is there `latency` cycles after that began.
 * An access that needs it earlier takes an entry for the rest of this time.
 *
 * So more entries never make anything later. */
#ifndef ESTIMATE_MSHR_H
#define ESTIMATE_MSHR_H

#include "host/base/arena.h"
#include "host/cache/hierarchy.h"

enum {
	MSHR_MOST = 1024, /* occupancies above count as this one */
};

#define MSHR_NONE UINT32_MAX

struct mshr_access {
	uint64_t time;  /* cycles in program order; never decreasing */
	uint64_t order; /* instructions before it; never decreasing */
	uint64_t line;
	uint32_t latency; /* cycles from an entry, or of a hit */
	uint32_t depends; /* index of an earlier access whose data its address
			   * needs, or MSHR_NONE */
	/* redirect: index of an earlier access whose data the last mispredicted
	 * jump before this access needs, or MSHR_NONE.  refill: cycles that the
	 * mispredicted jumps since the access before cost. */
	uint32_t redirect, refill;
	uint64_t page;
	uint32_t translate; /* cycles; 0: its page is in the first TLB */
	bool walks;         /* page tables */
	/* Its line is fetched in advance, from when the earlier access
	 * `fetched` is ready; `hit`: cycles, if it is there in time. */
	bool streams;
	uint32_t fetched, hit;
	bool misses;
	bool holds; /* holds up retirement: a load */
};

struct mshr_options {
	uint32_t entries;     /* 0: any number */
	uint64_t window;      /* instructions in flight, 1 or more */
	struct cache_tlb tlb; /* how page walks compete; zeros: they do not */
};

/* Sums over all calls of mshr_run() with the same result. */
struct mshr_result {
	uint64_t cycles; /* from the first dispatch to the last completion */
	uint64_t misses; /* that took an entry */
	uint64_t merged; /* accesses to lines in flight */
	uint64_t busy;   /* sum of the cycles of all entries */
	uint32_t most;   /* entries in use at once */
	/* Cycles with so many entries in use. */
	uint64_t at[MSHR_MOST + 1];
};

/* Add one run of the model to *sum.  delays: [n], gets the cycles by which each
 * access held up the dispatch of later ones, and of those that would follow the
 * last one at the mean rate of all; or NULL.  A hit whose address needs the
 * data of a miss adds to the delays of the miss. */
void mshr_run(struct arena *a, const struct mshr_access *accesses, size_t n,
	      const struct mshr_options *o, struct mshr_result *sum,
	      uint64_t *delays);

/* Entries that are enough for a share of the time. */
uint32_t mshr_enough(const struct mshr_result *r, double share);

#endif
