/* Levels of memory: sizes from sysfs or given. */
#ifndef NODE_LEVELS_H
#define NODE_LEVELS_H

#include "host/base/arena.h"
#include "host/base/err.h"

enum { NODE_MAX_LEVELS = 6 };

struct node_level {
	const char *name; /* "L1", ..., "memory" */
	uint64_t bytes;   /* 0: memory */
	uint32_t sharers; /* CPUs that share one, 1: private */
};

struct node_levels {
	size_t n;
	struct node_level at[NODE_MAX_LEVELS];
	uint64_t line;      /* bytes of a cache line */
	const char *source; /* "sysfs" or "given" */
};

/* Read the data and unified caches of a CPU below `root`; memory is added.  A
 * list of sizes ("48K,1M,32M", smallest first) overrides sysfs: the
 * cache of the last size is shared by all CPUs, the others are private; a
 * single one is private, too.  ERR_USAGE: the list has another syntax;
 * ERR_INPUT: no list is given and sysfs has no caches. */
int node_levels_find(struct arena *a, const char *root, const char *list,
		     uint32_t cpu, struct node_levels *ret, struct err *e);

/* Bytes of each of `n_arrays` arrays, a power of two, so that the arrays of
 * `n_cores` active cores fit in level `i` and not in the level before it; 0: no
 * such size. */
uint64_t node_array_bytes(const struct node_levels *l, size_t i, size_t n_cores,
			  unsigned n_arrays);

#endif
