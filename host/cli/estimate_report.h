/* The report of `anechoic estimate`: its options, the model, the samples. */
#ifndef CLI_ESTIMATE_REPORT_H
#define CLI_ESTIMATE_REPORT_H

#include "host/cache/caches.h"
#include "host/cli/cli.h"
#include "host/guest/collect.h"
#include "host/model/complete.h"

enum { REPORT_MAX_MSHR = 16 };

struct estimate_report {
	struct completion *k; /* NULL: no model, so no cycles */
	size_t format;        /* index of report_format() */
	size_t top;
	size_t n_mshr;
	uint32_t mshr[REPORT_MAX_MSHR];
};

/* Names of formats, for the option's table. */
const char *report_format(size_t i);

/* Check the options and load the model, before the program runs.  The model is
 * of the program's instruction set, whose catalogue `c` is. */
int report_open(struct arena *a, const struct options *o,
		const struct catalogue *c, struct estimate_report *ret,
		struct err *e);

/* The file of a name given with --caches: itself if it is there, else that of
 * the caches that come with this program. */
const char *report_caches(struct arena *a, const char *name);

/* Append the report. */
int report_print(struct arena *a, const struct estimate_report *r,
		 const struct catalogue *c, const struct caches *caches,
		 const struct caches_simulated *simulated,
		 struct guest_run *run, const struct profile *p,
		 struct buffer *b, struct err *e);

#endif
