/* Files of caches: `key = value` lines, each level's keys with its name in
 * front; docs/estimate-model.md explains the keys. */
#ifndef CACHE_CACHES_H
#define CACHE_CACHES_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/cache/hierarchy.h"

struct caches {
	size_t n;
	struct cache_hierarchy *at;
};

/* Append the hierarchies of a file to *list: one, or one for each combination
 * of the values of keys that are lists, the last such key changing fastest.
 * They are named after the file without its suffix, and their values of lists:
 * "zen4 l1.size=32K".  ERR_INPUT with file and line, and *list unchanged, if
 * the file is malformed or describes no possible hierarchy. */
int caches_read(struct arena *a, const char *path, struct caches *list,
		struct err *e);

/* What is simulated for some hierarchies: their TLBs, each once, and then
 * themselves. */
struct caches_simulated {
	size_t n_tlbs, n; /* n: with the TLBs */
	struct cache_hierarchy *at;
	uint32_t *tlb_of; /* [list->n], UINT32_MAX: no TLBs */
	/* Branches are predicted with this history; 0: they are not. */
	uint32_t branch_history;
};

/* Everything belongs to `a`.  ERR_INPUT if the hierarchies differ in the history
 * of branches, as one predictor serves all, or if they are too many. */
int caches_simulate(struct arena *a, const struct caches *list,
		    struct caches_simulated *ret, struct err *e);

#endif
