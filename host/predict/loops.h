/* Which part of a program is the loop. */
#ifndef PREDICT_LOOPS_H
#define PREDICT_LOOPS_H

#include "host/predict/program.h"

/* Instructions first..last, both included. */
struct loop {
	size_t first, last;
	const char *label; /* where it starts, "" if it has no name */
	bool closed;       /* its last instruction jumps to its first */
};

enum loop_marker {
	MARKER_AUTO,
	MARKER_OSACA, /* comments, and bytes as IACA has them */
	MARKER_MCA,
	MARKER_NONE,
};

struct loop_choice {
	enum loop_marker marker;
	uint32_t from_line, to_line; /* 0: not by lines */
	const char *function;        /* NULL: any */
};

/* All regions that the choice means, and which of them is taken by itself:
 * the longest of the innermost loops.  Without any loop the whole text is one.
 * ERR_INPUT when there is nothing, or a mark without its other half. */
int loops_find(struct arena *a, const struct program *p,
	       const struct loop_choice *choice, struct loop **ret_loops,
	       size_t *ret_n, size_t *ret_chosen, struct err *e);

#endif
