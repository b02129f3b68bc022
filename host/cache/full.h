/* A fully associative LRU cache: a list in the order of use, with a hash table
 * of its lines. */
#ifndef CACHE_FULL_H
#define CACHE_FULL_H

#include "common/types.h"

#define FULL_NONE UINT32_MAX

struct full_node {
	uint64_t line;
	uint32_t newer, older; /* FULL_NONE at the ends */
	uint32_t chain;        /* next node of the same bucket */
};

struct full {
	uint32_t room, n;
	uint32_t newest, oldest;
	uint32_t shift; /* of the hash, 64 - log2(groups of buckets) */
	struct full_node *nodes;
	uint32_t *buckets;
};

/* False if memory is short. */
bool full_open(struct full *f, uint64_t n_lines);
void full_close(struct full *f);

/* Look up a line and make it the newest; it replaces the oldest if it is not
 * there.  *ret_hit tells whether it was; returns its node. */
uint32_t full_access(struct full *f, uint64_t line, bool *ret_hit);

/* Make a node the newest. */
void full_to_front(struct full *f, uint32_t node);

/* The same as full_access() for a line that was in `node` when it was last
 * accessed, without a search if it is still there. */
static inline uint32_t full_again(struct full *f, uint32_t node, uint64_t line)
{
	bool hit;

	if (f->newest == node && f->nodes[node].line == line)
		return node;
	if (node < f->n && f->nodes[node].line == line) {
		full_to_front(f, node);
		return node;
	}
	return full_access(f, line, &hit);
}

#endif
