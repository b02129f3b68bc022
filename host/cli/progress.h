/* Progress of long work: a bar that redraws itself on a terminal, a plain
 * line every few seconds elsewhere. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdio.h>

#include "common/types.h"

struct progress {
	FILE *out;
	const char *what; /* "linux-process x86_64" */
	const char *unit; /* "visits" */
	bool tty;
	double started, shown; /* seconds of the monotonic clock */
	size_t n_first;        /* done before it started */
	bool any;
	size_t n_done, n_total;
};

/* Zeroed clock starts now; `out` is normally stderr. */
void progress_start(struct progress *p, FILE *out, const char *what,
		    const char *unit);

/* Show n_done of n_total, at most ten times a second on a terminal and every
 * five seconds elsewhere.  Where n_total is another one than before, so is the
 * work, and what it takes is reckoned anew. */
void progress_show(struct progress *p, size_t n_done, size_t n_total);

/* Show the last state and end the line; nothing if nothing was shown. */
void progress_end(struct progress *p);

#endif
