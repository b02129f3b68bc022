/* Searches for the size and the ways of a level between two points of the curve;
 * see chases.h. */
#ifndef STRUCTURES_EDGES_H
#define STRUCTURES_EDGES_H

#include "host/structures/chases.h"

/* A question with a number: does so much fit? */
struct edge_search {
	struct arena *a;
	const struct probe_oracle *o;
	struct core_probe (*make)(const struct edge_search *s, uint64_t x);
	uint64_t unit;      /* numbers are multiples of it */
	uint64_t low, high; /* that fits, that does not */
	double limit;       /* cycles: more does not fit */
	uint32_t line;
	uint64_t bytes, before; /* of the level, of the one before it */
};

/* Cycles above which a load counts as one of the next level; `here`, `next`:
 * latencies of the two levels. */
double edges_limit(const struct probe_oracle *o, double here, double next);

/* Into *l, with s->limit, s->low and s->high: its size, then its ways or why
 * they are not known.  ERR_OK also without answers. */
int edges_size(struct edge_search *s, struct level_found *l, struct err *e);
int edges_ways(struct edge_search *s, struct level_found *l, struct err *e);

#endif
