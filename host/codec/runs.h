/* All runs of the chosen core, for exports of values. */
#ifndef CODEC_RUNS_H
#define CODEC_RUNS_H

#include "host/store/store_core.h"
#include "host/store/store_run.h"

struct run_of_core {
	struct run run;
	struct core_id core;
};

struct runs {
	struct run_of_core *runs;
	size_t n;
};

/* Read them; owned by `a`. */
int runs_read(struct arena *a, struct store *s, struct runs *ret,
	      struct err *e);

/* Find a run; its texts are empty for an unknown one. */
const struct run_of_core *runs_find(const struct runs *r, int64_t id);

#endif
