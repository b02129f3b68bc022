/* Walks through a program's blocks: sequences that have the same shares of
 * blocks and of jumps as the run had. */
#ifndef ESTIMATE_WALK_H
#define ESTIMATE_WALK_H

#include "host/base/arena.h"
#include "host/guest/profile.h"

/* A direct jump or a fall: how often block `to` was executed directly after
 * block `from`. */
struct flow_edge {
	uint32_t from, to;
	double least, most; /* executions */
};

/* Blocks that follow each block. */
struct flow {
	const struct profile *p;
	size_t *first; /* of each block's edges; [n_blocks + 1] */
	size_t n_edges;
	struct flow_edge *edges;
};

/* Find the edges, and how often each was taken: what leaves a block is its
 * count, what enters it is at most its count, and exactly that if it can only
 * be entered by edges.  Everything belongs to `a`; p must outlive it. */
void flow_open(struct arena *a, const struct profile *p, struct flow *ret);

/* The executed block at an address, or FLOW_NONE. */
uint32_t flow_block_at(const struct profile *p, uint64_t address);

#define FLOW_NONE UINT32_MAX

/* Blocks in the order of their execution. */
struct walk {
	size_t n;
	uint32_t *blocks;
	size_t n_insns;
	/* It repeats: the last block is followed by the first. */
	bool repeats;
	/* It repeats, and each block is in it once: it has no inner loop. */
	bool simple;
	size_t n_taken; /* jumps from a block to another place than its end */
	/* Lines of code that are fetched.  After a taken jump a line counts
	 * again. */
	size_t n_lines;
};

enum { WALK_INSNS = 2048, WALK_LINE = 64 };

/* Walk from a block.  Of several successors the one is taken that is most
 * behind its share (smooth weighted round robin), so a loop of 13 iterations is
 * left every 13th time.  A block without known successors, such as a return,
 * goes on behind the last call of the walk, or if there is none at the begin of
 * its function.  The walk ends where that is not known either, and after at
 * most WALK_INSNS instructions; it is cut to a period, or at its last
 * `start`. */
void walk_from(struct arena *a, const struct flow *f, uint32_t start,
	       struct walk *ret);

#endif
