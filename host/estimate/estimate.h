/* What a program would cost on a modelled core behind modelled caches.
 *
 * The core: walks through the program's blocks, with the shares that the run
 * had, are predicted as loops (host/predict), so dependencies from iteration to
 * iteration and from block to block count.  Counts of blocks are exact.
 *
 * The memory: samples of the run's accesses go through the model of misses in
 * flight (mshr.h), at the speed of the core's blocks.  The share of the
 * latencies that is not hidden is applied to the exact misses of each block. */
#ifndef ESTIMATE_ESTIMATE_H
#define ESTIMATE_ESTIMATE_H

#include "host/cache/sim.h"
#include "host/guest/profile.h"
#include "host/model/complete.h"

enum { ESTIMATE_MAX_MSHR = 16 };

/* Consecutive accesses of a vCPU; see host/cache/trace.h. */
struct estimate_sample {
	size_t n;
	/* The first ones, which do not count: they are only simulated, so that
	 * their misses are in flight when the others start. */
	size_t n_before;
	const struct cache_record *records;
};

struct estimate_input {
	const struct profile *p;
	const struct catalogue *c;
	struct completion *k; /* NULL: no cycles, counts only */
	size_t n_hierarchies;
	const struct cache_hierarchy *hierarchies;
	/* Sums over processes: [hierarchy * CACHE_MAX_LEVELS + level]. */
	const struct cache_counts *counts;
	/* In the profile and in samples, the hierarchies 0 .. n_tlbs - 1 are
	 * TLBs (struct caches_simulated), which `hierarchies` follow.  tlb_of:
	 * [n_hierarchies], UINT32_MAX: no TLBs; NULL: no hierarchy has any. */
	size_t n_tlbs;
	const uint32_t *tlb_of;
	const struct cache_counts *tlb_counts; /* of TLBs, as `counts` */
	size_t n_samples;
	const struct estimate_sample *samples;
	uint32_t unit_bytes; /* of lines in samples */
	/* Block and index of the access of a place; false: not known. */
	bool (*place)(void *context, uint32_t place, uint32_t *ret_block,
		      uint32_t *ret_access);
	/* The block that ends with a mispredicted jump of a sample; false: not
	 * known.  NULL: no jumps were predicted. */
	bool (*jump)(void *context, uint32_t jump, uint32_t *ret_block);
	void *context;
	size_t n_mshr; /* at most ESTIMATE_MAX_MSHR */
	const uint32_t *mshr;
};

enum estimate_bound {
	BOUND_PORTS,
	BOUND_FRONT_END,
	BOUND_DEPENDENCY,
	BOUND_QUEUES, /* window, scheduler and other sizes of the core */
	BOUND_MEMORY,
	BOUND_BRANCHES, /* mispredicted ones */
	BOUND_UNKNOWN,  /* its instructions could not be predicted */
	ESTIMATE_N_BOUNDS,
};

struct estimate_block {
	uint32_t block; /* index in the profile */
	/* Cycles of all executions: of the core, and of waiting for each
	 * hierarchy [n_traced]. */
	double core;
	double *memory;
	double *branches;          /* of mispredicted jumps at its end */
	enum estimate_bound bound; /* with the first hierarchy */
	const char *why;           /* of the core, in words; never NULL */
	uint32_t n_assumed;        /* instructions whose costs are assumed */
};

struct estimate_level {
	struct cache_counts counts;
	/* Fetched into this level and written back by it, in bytes, and per
	 * cycle of the estimate; 0 cycles: not traced. */
	double bytes, bytes_per_cycle;
};

struct estimate_mshr {
	uint32_t entries;
	double stall_cycles; /* beyond those with unlimited entries */
};

struct estimate_hierarchy {
	const struct cache_hierarchy *caches;
	/* Indices in the profile and in samples; tlb: UINT32_MAX: no TLBs. */
	uint32_t simulated, tlb;
	const struct cache_counts *tlb_counts; /* per level; NULL: no TLBs */
	struct estimate_level levels[CACHE_MAX_LEVELS];
	bool traced; /* the numbers below are known */
	double cycles, memory_cycles, branch_cycles, ipc;
	/* Without fetching in advance, as if the program had no other limit:
	 * entries of the first level that are enough 99 % of the time, and
	 * their mean. */
	uint32_t entries_needed;
	double entries_mean;
	struct estimate_mshr mshr[ESTIMATE_MAX_MSHR];
};

struct program_estimate {
	const struct estimate_input *in;
	/* Those that were given, with one of the sizes of each last level that
	 * others share.  n_traced: with times: the first ones. */
	size_t n_hierarchies, n_traced;
	struct estimate_hierarchy *hierarchies;
	double core_cycles;
	size_t n_blocks; /* by cycles with the first hierarchy, most first */
	struct estimate_block *blocks;
	double sampled;       /* share of the lines that are in samples */
	uint64_t unpredicted; /* executed instructions without a prediction */
	uint64_t assumed;     /* executed instructions with assumed costs */
	const char *headline; /* what to look at */
};

/* Everything in *ret belongs to `a`; `in` must outlive it. */
int estimate_run(struct arena *a, const struct estimate_input *in,
		 struct program_estimate *ret, struct err *e);

/* "ports", "memory", ... */
const char *estimate_bound_name(enum estimate_bound b);

#endif
