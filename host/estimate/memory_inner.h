/* Shared by memory.c, memory_blocks.c and memory_window.c. */
#ifndef ESTIMATE_MEMORY_INNER_H
#define ESTIMATE_MEMORY_INNER_H

#include "host/estimate/inner.h"
#include "host/estimate/mshr.h"

/* How far a stream is fetched ahead, in steps: up to 20 lines, in some cores
 * two for each access ("Streamer", Intel 64 and IA-32 Architectures
 * Optimization Reference Manual, section on data prefetching). */
enum { STREAM_AHEAD = 20, STREAM_RATE = 2 };

/* The lines that an instruction accessed last. */
struct memory_stream {
	uint64_t line;
	int64_t step;
	uint32_t last; /* record of the sample + 1; 0: none */
	/* Equal steps in a row within this page, and the record + 1 of each of
	 * the last ones: of step k at k modulo the length. */
	uint32_t n_page;
	uint32_t at[STREAM_AHEAD + 1];
};

/* A record with its place in the profile. */
struct placed {
	uint32_t block, access, flat;
	bool known;
};

struct memory_timing {
	const struct estimate_input *in;
	const struct core_cost *costs;
	struct program_estimate *x;
	uint32_t *first_access; /* of each block, over all accesses */
	double cycles_per_insn; /* of the whole run */
};

/* Sums over the accesses of a block, in samples, whose line was found at one
 * depth. */
struct depth_sums {
	double n;
	double delays;    /* cycles that the program takes longer */
	double translate; /* cycles of address translation */
};

/* Index: how many levels missed; the number of levels: found in memory. */
struct block_sums {
	struct depth_sums at[CACHE_MAX_LEVELS + 1];
};

/* What the samples of a hierarchy add up to. */
struct memory_sums {
	struct block_sums *blocks; /* [n_blocks of the profile] */
	double latencies;
	/* The demand for entries: with any number, and with each of
	 * estimate_input.mshr. */
	struct mshr_result *entries;
};

/* A sample with what the model derives from it. */
struct window {
	struct arena *a; /* for this window */
	const struct memory_timing *t;
	const struct estimate_hierarchy *of;
	const struct cache_hierarchy *hierarchy; /* of->caches */
	const struct estimate_sample *sample;
	size_t n; /* of sample->records, and of what follows */
	struct placed *placed;
	struct mshr_access *accesses;
	/* A stream fetched the line in advance, when this record + 1 was
	 * accessed; 0: none did. */
	uint32_t *fetched;
	struct memory_stream *streams;
	uint64_t window; /* instructions */
};

/* How many levels missed for a record. */
static inline unsigned window_level(const struct window *w, size_t i)
{
	return cache_record_level(&w->sample->records[i], w->of->simulated);
}

/* Cycles of a load that hits a level, or memory. */
static inline uint32_t latency_of(const struct cache_hierarchy *h,
				  unsigned level)
{
	return level < h->n_levels ? h->levels[level].latency
				   : h->memory_latency;
}

/* How many cycles that is longer than a hit in the first level. */
static inline double extra_of(const struct cache_hierarchy *h, unsigned level)
{
	return (double)latency_of(h, level) - latency_of(h, 0);
}

/* Cycles of a translation that missed in n_missed levels of TLBs, beyond those
 * of a hit in the first. */
static inline uint32_t tlb_cycles(const struct cache_tlb *t, unsigned n_missed)
{
	if (n_missed == 0)
		return 0;
	return n_missed < t->n_levels ? t->levels[n_missed].latency : t->walk;
}

/* memory_window.c: set placed, accesses, fetched and window.  The caller has
 * set the other members. */
void window_fill(struct window *w);

/* memory_blocks.c: set the waiting of all blocks and of hierarchy h.  sums:
 * over its samples, [n_blocks of the profile].  Returns the latencies of all
 * accesses of the run beyond those of hits in the first level, translation
 * included. */
double memory_set_blocks(struct program_estimate *x, size_t h,
			 const struct block_sums *sums);

#endif
