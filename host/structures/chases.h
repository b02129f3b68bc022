/* Caches, from chases of pointers through ever larger sets.
 *
 * A chase goes through the lines of a set in one cycle.  A level with
 * least-recently-used replacement serves all of them as long as they fit, and
 * from C to C + C / ways bytes ever fewer, down to none: the last size with the
 * latency of a level is its capacity C.  Columns of lines, C bytes apart, share
 * their sets: as many as fit are its ways.
 *
 * How much each search may be off is in the interval: the last size that fitted and
 * the first that did not. */
#ifndef STRUCTURES_CHASES_H
#define STRUCTURES_CHASES_H

#include "host/structures/probe.h"

enum { LEVELS_MOST = 4, LEVELS_MOST_POINTS = 128 };

struct level_found {
	/* The last size that fitted, or `bytes` if that is less, and the first
	 * that did not. */
	uint64_t low_bytes, high_bytes;
	/* The roundest size between them, or a tenth below: that many lines may
	 * still be served beyond it. */
	uint64_t bytes;
	double low_cycles, high_cycles; /* of a load that hits */
	uint32_t ways;                  /* 0: not known */
	const char *no_ways;            /* why; NULL: they are known */
	/* Bytes after which a load takes longer no more: the level served none of
	 * them.  Far above `bytes`: no sharp edge (replacement, hashed sets,
	 * others' lines). */
	uint64_t gone_bytes;
	const char *label; /* of the largest set of the curve that it served */
};

struct levels_point {
	uint64_t bytes;
	struct probe_value value;
	double least; /* the cycles without disturbances */
};

struct levels_found {
	uint32_t line; /* bytes; 0: not known */
	const char *no_line;
	bool is_flat; /* no set up to 2 MB took longer than the smallest */
	size_t n;
	struct level_found level[LEVELS_MOST];
	/* Of a load beyond all levels; low_cycles 0: no set was so large. */
	double memory_low, memory_high;
	const char *no_memory;
	const char *no_level; /* why there is no further one; NULL: see above */
	size_t n_points;
	struct levels_point points[LEVELS_MOST_POINTS];
};

/* ERR_OK also if nothing was found: then the reasons say so.  Strings in `a`. */
int chases_find(struct arena *a, const struct probe_oracle *o,
		struct levels_found *ret, struct err *e);

/* Bytes of a line: the usual ones where it is not known. */
uint32_t levels_line(const struct levels_found *f);

/* Drop the levels that begin beyond half of `reach`, the bytes that the buffers for
 * translation have pages for, but never the first, and set no_level. */
void levels_beyond(struct arena *a, struct levels_found *f, uint64_t reach);

/* A chase through all lines of a set. */
struct core_probe chases_probe(uint64_t bytes, uint32_t step);

#endif
