/* Progress of long work: a bar that redraws itself on a terminal, a plain
 * line every few seconds elsewhere. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdio.h>

#include "common/types.h"
#include "host/link/link.h"

/* A later visit takes this many times as long as a first one: later rounds have
 * few kernels, all kernels are judged between rounds, and rounds have pauses.
 * Measured (default set, Zen 5, two cores): 6,800 first visits a second, 3,500
 * later ones. */
static const double progress_slow = 1.9;

struct progress {
	FILE *out;
	const char *what; /* "linux-process x86_64" */
	const char *unit; /* "visits" */
	const char *now;  /* what is done now, or NULL; the caller may set it */
	/* n_total is an estimate: where it changes the rate stays.  Initially
	 * false. */
	bool estimated;
	/* Of what is to come: units that take longer than those so far, by
	 * progress_slow.  Initially 0. */
	size_t n_slow;
	bool tty;
	double started, shown; /* seconds of the monotonic clock */
	size_t n_first;        /* done before it started */
	bool any;
	size_t n_done, n_total;
};

/* Start the clock; `out` is normally stderr. */
void progress_start(struct progress *p, FILE *out, const char *what,
		    const char *unit);

/* Show n_done of n_total, at most ten times a second on a terminal and every
 * five seconds elsewhere.  A changed n_total begins a new part of the work,
 * and the estimate of the remaining time starts again, unless `estimated`. */
void progress_show(struct progress *p, size_t n_done, size_t n_total);

/* A link_report that shows the visits of a session; `context` is the struct
 * progress. */
void progress_of_session(void *context, const struct link_progress *p);

/* Show the last state and end the line; prints nothing if nothing was shown. */
void progress_end(struct progress *p);

#endif
