/* Files of caches: `key = value` lines, each level's keys with its name in
 * front; examples/caches/README.md explains the keys. */
#ifndef CACHE_CACHES_H
#define CACHE_CACHES_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/cache/hierarchy.h"

/* From all of a level down to a 64th. */
enum { CACHES_PARTS = 13 };

struct caches {
	size_t n;
	struct cache_hierarchy *at;
};

/* Append the hierarchies of a file to *list: one, or one for each combination
 * of the values of keys that are lists, the last such key changing fastest.
 * They are named after the file without its suffix, and their values of lists:
 * "zen4 l1.size=32K".  With others.bandwidth each of them becomes CACHES_PARTS
 * hierarchies, from the whole last level to ever smaller parts of it. ERR_INPUT
 * with file and line, and *list unchanged, if the file is malformed or
 * describes no possible hierarchy. */
int caches_read(struct arena *a, const char *path, struct caches *list,
		struct err *e);

/* The same of the text of a file, which is called `path`. */
int caches_parse(struct arena *a, const char *path, const char *text,
		 struct caches *list, struct err *e);

/* What one run simulates: first the different TLBs of a list of hierarchies as
 * hierarchies of their own (cache_tlb_levels()), then the list itself. */
struct caches_simulated {
	size_t n_tlbs, n; /* n: with the TLBs */
	struct cache_hierarchy *at;
	/* [list->n]: index in `at` of its TLBs; UINT32_MAX: it has none. */
	uint32_t *tlb_of;
	struct cache_core core;
};

/* Everything belongs to `a`.  ERR_INPUT if two hierarchies have different values
 * of one number of struct cache_core, which all share (of branches: all that have a
 * penalty), or if hierarchies and TLBs are more than CACHE_MAX_HIERARCHIES. */
int caches_simulate(struct arena *a, const struct caches *list,
		    struct caches_simulated *ret, struct err *e);

#endif
