/* What a hierarchy of data caches is: plain numbers, without strings that need
 * an owner, so that the QEMU plugin can hold it. */
#ifndef CACHE_HIERARCHY_H
#define CACHE_HIERARCHY_H

#include "common/types.h"

enum {
	CACHE_MAX_LEVELS = 4,
	CACHE_MAX_HIERARCHIES = 1024,
	CACHE_NAME = 128, /* bytes of a name with its NUL */
	CACHE_LEVEL_NAME = 8,
	CACHE_MIN_LINE = 16,
	CACHE_MAX_LINE = 4096,
	CACHE_MAX_WAYS = 4096,
	CACHE_TLB_LEVELS = 2,
	CACHE_MIN_PAGE = 4096,
	CACHE_MAX_PAGE = 1 << 30,
	CACHE_MAX_CONTIGUOUS = 2 << 20,
	CACHE_MAX_PATTERNS = 1 << 20,
	CACHE_MAX_QUEUE = 1 << 16,
};

/* A cache with least-recently-used replacement that allocates on reads and
 * writes; with `keep` only on some.  The set of a line is its number, virtual
 * or physical (struct cache_pages), modulo the number of sets.  All levels
 * cache data only, no instructions. */
struct cache_level {
	char name[CACHE_LEVEL_NAME]; /* "l1" */
	uint64_t bytes;              /* a multiple of line_bytes * ways */
	uint32_t line_bytes;         /* a power of two */
	uint32_t ways;
	bool shared;      /* by all vCPUs; else each has its own */
	uint32_t latency; /* cycles until a load that hits here has its data */
	uint32_t mshr;    /* misses in flight, at most; 0: not known */
	/* Bytes per cycle to the level before it, at most; 0: not known. */
	uint32_t bandwidth;
	/* 0: it keeps every line that it is asked for.  Else it keeps a line
	 * that it does not have only if a load asked for it before and a load
	 * does so now, and then in so many percent of the cases; 100: in all of
	 * these.  The first level has 0. */
	uint32_t keep;
};

/* Translation lookaside buffers with least-recently-used replacement.  A hit in
 * the first level costs no cycles, a hit in the second costs `latency`, and a
 * miss in all levels costs `walk`. */
struct cache_tlb {
	uint32_t n_levels; /* 0: not modelled */
	struct cache_tlb_level {
		uint32_t entries, ways;
		uint32_t latency; /* of the second level */
	} levels[CACHE_TLB_LEVELS];
	uint32_t page_bytes; /* a power of two */
	uint32_t walk;       /* more cycles than a hit in the first level */
	uint32_t walkers;    /* most walks at once; 0: not known */
	/* Cycles from the begin of a walk to that of the next, at least; 0: not
	 * known. */
	uint32_t interval;
	/* Cycles in which no other load is served, for each load whose page the
	 * first level does not have; 0: none. */
	double fill_cycles;
};

/* Which addresses choose the sets of levels: physical ones (physical.h) below
 * the first level, or virtual ones in all. */
struct cache_pages {
	/* Bytes of a contiguous piece of physical memory, a power of two, not
	 * shorter than a line; 0: all levels have virtual addresses. */
	uint32_t contiguous;
	uint32_t scattered; /* percent of the pieces; 0: all */
	bool first;         /* the first level has physical addresses, too */
};

/* What a run has once, whatever its hierarchies; 0: not known. */
struct cache_core {
	/* Of the predictor (host/guest/predictor.h): taken branches that it
	 * remembers, 0: none is predicted; random branches of a repeated sequence
	 * that it learns; most iterations of a loop without other branches whose
	 * exit is predicted, 0: the history decides. */
	uint32_t history, patterns, loop;
	/* Instructions, loads and stores in flight, at most. */
	uint32_t window, loads, stores;
	/* Operations of vectors that wait for their sources, at most. */
	uint32_t vectors;
	/* The same where only a lower bound is known. */
	uint32_t loads_least, stores_least;
};

/* Levels in the order of the search.  Each is searched for the misses of the
 * one before it, and no line has to be in a larger level because it is in a
 * smaller one.  A level's line is not shorter than that of the level before
 * it, and no private level follows a shared one. */
struct cache_hierarchy {
	char name[CACHE_NAME];
	uint32_t n_levels;
	struct cache_level levels[CACHE_MAX_LEVELS];
	/* Bytes per cycle that other programs bring into the last level; 0:
	 * none.  What they leave is not known before the run, so there are
	 * hierarchies with several sizes of that level.  shared_bytes: all of
	 * it; 0: no others share it. */
	double others_bytes;
	uint64_t shared_bytes;
	struct cache_pages pages;
	uint32_t memory_latency; /* cycles of a load that hits nowhere */
	double memory_bytes;     /* per cycle, at most; 0: not known */
	/* Cycles in which the first level serves no load, for each line that it
	 * gets for a load, and no store, for each that it gets for a store; 0:
	 * none. */
	double fill_cycles, write_cycles;
	/* Do the levels fetch lines of sequential or strided streams before
	 * they are asked for?  Changes times, never counts of misses. */
	bool prefetches;
	struct cache_tlb tlb;
	/* Cycles that a mispredicted branch costs; 0: not modelled. */
	uint32_t branch_penalty;
	struct cache_core core;
};

static inline uint64_t cache_level_sets(const struct cache_level *l)
{
	return l->bytes / ((uint64_t)l->line_bytes * l->ways);
}

/* The shortest line of n hierarchies, in bytes. */
static inline uint32_t cache_shortest_line(const struct cache_hierarchy *h,
					   size_t n)
{
	uint32_t line = CACHE_MAX_PAGE;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < h[i].n_levels; k++)
			if (h[i].levels[k].line_bytes < line)
				line = h[i].levels[k].line_bytes;
	return line;
}

/* The TLBs of a hierarchy as caches whose lines are pages. */
static inline struct cache_hierarchy cache_tlb_levels(const struct cache_tlb *t)
{
	struct cache_hierarchy h = { .name = "tlb", .n_levels = t->n_levels };

	for (uint32_t i = 0; i < t->n_levels; i++) {
		h.levels[i].bytes =
			(uint64_t)t->levels[i].entries * t->page_bytes;
		h.levels[i].line_bytes = t->page_bytes;
		h.levels[i].ways = t->levels[i].ways;
		h.levels[i].latency = t->levels[i].latency;
	}
	return h;
}

#endif
