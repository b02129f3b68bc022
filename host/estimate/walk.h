/* Walks through a program's blocks: sequences that have the same shares of
 * blocks and of jumps as the run had. */
#ifndef ESTIMATE_WALK_H
#define ESTIMATE_WALK_H

#include "host/base/arena.h"
#include "host/guest/profile.h"

struct flow_edge {
	uint32_t to;
	double weight; /* executions */
};

/* Blocks that follow each block. */
struct flow {
	const struct profile *p;
	size_t *first; /* of each block's edges; [n_blocks + 1] */
	struct flow_edge *edges;
};

/* Everything belongs to `a`; p must outlive it. */
void flow_open(struct arena *a, const struct profile *p, struct flow *ret);

/* Blocks in the order of their execution. */
struct walk {
	size_t n;
	uint32_t *blocks;
	size_t n_insns;
	/* It repeats: the last block is followed by the first. */
	bool repeats;
	size_t n_taken; /* jumps from a block to another place than its end */
};

enum { WALK_INSNS = 2048 };

/* Walk from a block.  Of several successors the one is taken that is most
 * behind its share (smooth weighted round robin), so a loop of 13 iterations is
 * left every 13th time.  A block without known successors, such as a return,
 * goes on behind the last call.  The walk ends where that is not known either,
 * and after at most WALK_INSNS instructions; a walk that repeats itself is cut
 * to one period. */
void walk_from(struct arena *a, const struct flow *f, uint32_t start,
	       struct walk *ret);

#endif
