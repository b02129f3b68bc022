/* Choose the loop of a program. */
#ifndef PREDICT_LOOPS_H
#define PREDICT_LOOPS_H

#include "host/predict/program.h"

/* Instructions first..last, both included. */
struct loop {
	size_t first, last;
	const char *label; /* label of its first instruction, or "" */
	/* The last label up to there that is no local one, or "". */
	const char *function;
	bool closed; /* its last instruction jumps to its first */
	/* Its iterations are copies that stand one behind the other: no branch
	 * is taken, and all of it is decoded each time. */
	bool straight;
	/* Taken branches of an iteration, if they were counted; 0: the last
	 * one alone. */
	uint32_t n_taken;
	/* If they were counted, for each instruction of the loop: the share of
	 * its executions whose access crosses a cache line.  NULL: streams are
	 * at best, or at worst, alignment. */
	const double *crossings;
};

/* Is instruction k of the program, or -1, in the loop? */
static inline bool loop_has(const struct loop *l, int64_t k)
{
	return k >= (int64_t)l->first && k <= (int64_t)l->last;
}

enum loop_marker {
	MARKER_AUTO,
	MARKER_OSACA, /* comments, or IACA's marker bytes */
	MARKER_MCA,
	MARKER_NONE,
};

struct loop_choice {
	enum loop_marker marker;
	uint32_t from_line, to_line; /* 0: no line range */
	const char *function;        /* NULL: any function */
};

struct loop_list {
	struct loop *loops;
	size_t n;
	size_t chosen; /* index of the one to predict */
};

/* Find the regions that match the choice, and choose the longest innermost
 * loop. A program without a loop is one region. ERR_INPUT when no region
 * matches, or when a marker lacks its counterpart. */
int loops_find(struct arena *a, const struct program *p,
	       const struct loop_choice *choice, struct loop_list *ret,
	       struct err *e);

#endif
