/* A static web site of databases and machine models: a table of all forms, a
 * page for each form and core, pages that compare cores (docs/site.md). */
#ifndef SITE_SITE_H
#define SITE_SITE_H

#include "host/base/arena.h"
#include "host/base/err.h"

struct site_request {
	const char *output;  /* the folder */
	const char *title;   /* NULL: "Instruction costs" */
	const char *version; /* of this program, for the footer */
	const char *isa; /* of model files that do not name one; NULL: none */
	size_t n_inputs;
	const char *const *inputs; /* databases and model files */
	size_t n_loops;
	const char *const *loops; /* files of measured loops (docs/site.md) */
	const volatile int *stop; /* not zero: stop, write nothing */
};

struct site_summary {
	size_t n_cores, n_forms, n_files;
	uint64_t n_bytes;
};

/* Write the site into a temporary folder next to the output, and replace the
 * output by it.  The output must not exist, or be empty, or be a site written
 * earlier; ERR_USAGE otherwise.  On any error the output stays as it was.
 * ERR_INPUT: an input cannot be read, or has no values; ERR_SYSTEM: the files
 * cannot be written; ERR_INTERRUPTED: the request was stopped. */
int site_make(const struct site_request *r, struct site_summary *ret,
	      struct err *e);

#endif
