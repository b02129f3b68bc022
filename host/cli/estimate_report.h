/* The report of `anechoic estimate`: its options, the model, the samples. */
#ifndef CLI_ESTIMATE_REPORT_H
#define CLI_ESTIMATE_REPORT_H

#include "host/cache/caches.h"
#include "host/cli/cli.h"
#include "host/codec/source.h"
#include "host/guest/collect.h"

enum { REPORT_MAX_MSHR = 16 };

struct estimate_args {
	const char *stray; /* a word without "--" before it */
	struct model_source source;
	const char *guest_cpu, *mshr, *output;
	struct option_words caches, functions;
	unsigned format;
	uint32_t top; /* blocks to print; 0: the default */
	bool classes, no_accesses, marked;
	char *const *program; /* words behind "--", NULL-terminated */
};

struct estimate_report {
	struct completion *k; /* NULL: no model, so no cycles */
	const char *tables;   /* NULL; whose tables, if no model was given */
	size_t top;           /* blocks with the most cycles to show */
	/* Numbers of entries for misses that stall cycles are computed for. */
	size_t n_mshr;
	uint32_t mshr[REPORT_MAX_MSHR];
};

/* The words of --format. */
extern const char *const report_formats[];

/* Check the options and load the model, before the program runs.  c: catalogue
 * of the program's instruction set.  The model belongs to `a`.  ERR_USAGE if
 * --mshr is wrong, ERR_INPUT if the model is of another instruction set; others
 * as model_load_completed(). */
int report_open(struct arena *a, const struct estimate_args *o,
		const struct catalogue *c, struct estimate_report *ret,
		struct err *e);

/* The path of a file of caches given with --caches: `name` if it contains a '/'
 * or exists, else the file of that name that comes with this program, if there
 * is one.  Belongs to `a`, or is `name`. */
const char *report_caches(struct arena *a, const char *name);

/* What a report is of. */
struct report_input {
	const struct estimate_report *r;
	const struct catalogue *c;
	const struct caches *caches;
	const struct caches_simulated *simulated;
	struct guest_run *run;
	const struct profile *p; /* of the run */
	unsigned format;         /* which of report_formats[] */
};

/* Append the report of a run to *b.  Errors as estimate_run(). */
int report_print(struct arena *a, const struct report_input *i,
		 struct buffer *b, struct err *e);

#endif
