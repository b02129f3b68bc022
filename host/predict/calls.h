/* The functions that a loop calls, in the same program. */
#ifndef PREDICT_CALLS_H
#define PREDICT_CALLS_H

#include "host/predict/executed.h"

enum {
	CALLS_MAX_INSNS = 4096, /* of all functions together */
	CALLS_MAX_DEPTH = 64,   /* of calls inside calls */
};

/* Instructions that may be executed in functions that a loop calls: from where calls
 * outside the loop go, up to returns. */
struct calls {
	size_t n;
	const uint32_t *insns; /* of the program, ascending */
	/* An instruction of them behind which, or where it jumps or calls, there
	 * is no instruction of the program; -1: there is none such. */
	int64_t lost_at;
	bool too_many; /* more than CALLS_MAX_INSNS: the rest is not there */
};

/* Find them; arrays are in `a`. */
struct calls calls_find(struct arena *a, const struct program *p,
			const struct loop *l);

/* May the next instruction in memory be executed after this one, other than by a
 * return to it? */
bool calls_falls(const struct program *p, const struct insn *i);

/* The instructions of an iteration in order: those of the loop as they stand, and
 * behind each call those of the function, where no jump on a condition is taken. */
struct calls_path {
	/* n is 0: nothing is called, or `lost_at` says why it is not known. */
	struct executed executed;
	/* A call of what is no instruction of the program, which is left out, or,
	 * with n of 0, the instruction behind which a function is lost: it does
	 * not return within CALLS_MAX_INSNS instructions and CALLS_MAX_DEPTH
	 * calls.  -1: there is none. */
	int64_t lost_at;
	/* A jump on a condition that goes back inside a function, whose loop is in
	 * the path once; -1: there is none. */
	int64_t loops_at;
};

/* Find it; its array is in `a`. */
struct calls_path calls_path(struct arena *a, const struct program *p,
			     const struct loop *l);

#endif
