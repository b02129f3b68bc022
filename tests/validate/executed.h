/* The instructions that a loop executes, in their order, until they repeat. */
#ifndef TESTS_VALIDATE_EXECUTED_H
#define TESTS_VALIDATE_EXECUTED_H

#include "host/predict/loops.h"

/* The path of a loop: instructions of a program, by index, of `n_iterations`
 * iterations. n is 0: the loop as it stands in the code, no order that repeats, or
 * one of more than 1,024 instructions. */
struct executed {
	size_t n;
	const uint32_t *insns;
	size_t n_iterations;
};

/* The path of a loop. order[0..n): indices of the instructions that a call
 * executed; UINT32_MAX: one outside the program. The last iteration, which ends
 * the loop, does not count. The result belongs to `a`. */
struct executed executed_find(struct arena *a, const struct loop *loop,
			      const uint32_t *order, size_t n);

/* The same as text, and back: instructions 12 to 20, 40 and 41, and 21 to 30 of one
 * iteration are "12-20,40-41,21-30/1"; n is 0: "-". False: the text is no path of
 * a program of n_insns instructions. */
const char *executed_text(struct arena *a, const struct executed *p);
bool executed_parse(struct arena *a, const char *text, size_t n_insns,
		    struct executed *ret);

/* The path as a program of its own, with its only loop. An iteration of that is
 * n_iterations of the loop. */
void executed_program(struct arena *a, const struct program *from,
		      const struct executed *p, struct program *ret,
		      struct loop *ret_loop);

#endif
