/* All runs of a store, for exports of values. */
#ifndef EXPORT_RUNS_H
#define EXPORT_RUNS_H

#include "host/store/store.h"

struct runs {
	struct run *runs;
	size_t n;
};

/* Read them; owned by `a`. */
int runs_read(struct arena *a, struct store *s, struct runs *ret,
	      struct err *e);

/* The CPU of a run, as LLVM names it; "" for an unknown run. */
const char *runs_cpu(const struct runs *r, int64_t id);

#endif
