/* The levels of all hierarchies of a simulation as a forest: hierarchies whose
 * first levels are the same share them. */
#ifndef CACHE_FOREST_H
#define CACHE_FOREST_H

#include "host/cache/sim.h"

#define NODE_NONE UINT32_MAX

struct cache_store;

/* A level of one or several hierarchies, in the forest of all of them. */
struct cache_node {
	struct cache_level level;
	uint32_t shift; /* from line numbers of the simulation to its own */
	uint32_t child, sibling; /* first child, next sibling */
	bool physical; /* it is asked for physical lines (physical.h) */
	/* Of its physical memory: log2 of the lines in a piece, and percent of
	 * the pieces that are scattered. */
	uint32_t piece, scattered;
	/* Its first touches are not those of its parent. */
	bool own_seen;
	/* Added to cache_record.levels for a miss. */
	uint64_t record_step;
	struct cache_store *shared; /* NULL: private */
};

struct cache_sim {
	struct cache_options options;
	size_t n_hierarchies, n_nodes;
	uint32_t line_bytes, first_root;
	uint32_t (*node_of)[CACHE_MAX_LEVELS];
	struct cache_node *nodes;
	struct cache_cpu *cpus;
	bool is_short; /* for another vCPU */
};

/* Add the levels of hierarchy h of the simulation, which has room for them, and
 * set node_of[h]. */
void forest_add(struct cache_sim *s, size_t h, const struct cache_hierarchy *x);

#endif
