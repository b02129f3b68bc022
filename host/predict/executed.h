/* The instructions that a loop executes, in their order, until they repeat. */
#ifndef PREDICT_EXECUTED_H
#define PREDICT_EXECUTED_H

#include "host/predict/loops.h"

/* The path of a loop: instructions of a program, by index, of `n_iterations`
 * iterations.  n is 0: the loop as it stands in the code. */
struct executed {
	size_t n;
	const uint32_t *insns;
	size_t n_iterations;
};

/* The path of a loop.  order[0..n): indices of the instructions that a run
 * executed; UINT32_MAX: one outside the program.  The last iteration, which ends
 * the loop, does not count.  *ret belongs to `a` and is there if the path was
 * found. */
enum executed_result {
	EXECUTED_FOUND,
	EXECUTED_VARIES, /* no order repeats within 16 iterations */
	/* Too few iterations to say so, more than 1,024 instructions, or one
	 * outside the program. */
	EXECUTED_UNKNOWN,
};
enum executed_result executed_find(struct arena *a, const struct loop *loop,
				   const uint32_t *order, size_t n,
				   struct executed *ret);

/* The path of a loop whose jumps that depend on nothing skip some of it; other
 * branches inside are not taken.  False: it skips nothing, or the path does not
 * come to its last instruction.  ret->insns belongs to `a`. */
bool executed_follow(struct arena *a, const struct program *p,
		     const struct loop *loop, struct executed *ret);

/* The first jump on a condition, but for the last instruction, that goes to another
 * place in the loop: the path depends on data.  -1: there is none. */
int64_t executed_varying(const struct program *p, const struct loop *loop);

/* The path as a program of its own, with its only loop. An iteration of that is
 * n_iterations of the loop. */
void executed_program(struct arena *a, const struct program *from,
		      const struct executed *p, struct program *ret,
		      struct loop *ret_loop);

#endif
