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

#endif
