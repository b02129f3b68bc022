/* One store of several. */
#ifndef STORE_STORE_MERGE_H
#define STORE_STORE_MERGE_H

#include "host/base/arena.h"
#include "host/store/store.h"

struct store_merged {
	size_t n_parts;  /* runs of the sources */
	size_t n_runs;   /* of the result */
	int64_t *united; /* runs made of several parts: they have no claims */
	size_t n_united;
};

/* Write the runs of several databases of this schema version to the new file
 * `path`, which is not flushed to the disk.  Equal runs are written once.  Runs
 * that differ but are of one measurement - two states of it, or shards of one
 * set on one kind of core - become one run with the samples of all.  The result
 * does not depend on the order of the sources, and merging it again with one of
 * them adds nothing.  Memory: the text of each source's environment. */
int store_merge(struct arena *a, const char *path, const char *const *sources,
		size_t n, struct store_merged *ret, struct err *e);

#endif
