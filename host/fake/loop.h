/* The cycles of any loop on an invented core, to compare predictions with.
 *
 *	struct core core;			core_read()
 *	struct fake_loop *l = fake_loop_new(catalogue, &core);
 *	struct fake_code code = { .loop = bytes, .loop_bytes = n };
 *	double cycles;
 *
 *	if (fake_loop_cycles(l, &code, &cycles, &e) == ERR_OK)
 *		...
 *	fake_loop_free(l);
 *
 * The code is what is between the label and the branch, or includes the
 * branch.  A branch costs what its line says, nothing without one.  Those that
 * go on and depend on nothing are followed; others are not taken, except for the
 * last.  It repeats without a loop counter.  Every register keeps the address of
 * the first iteration, but for what pushes and pops add to the stack pointer, and
 * no two registers point into the same memory. */
#ifndef FAKE_LOOP_H
#define FAKE_LOOP_H

#include "host/fake/kernel.h"
#include "host/isa/catalogue.h"

struct fake_loop;

/* Both must outlive it. */
struct fake_loop *fake_loop_new(const struct catalogue *c,
				const struct core *core);
void fake_loop_free(struct fake_loop *l);

/* Core cycles per iteration in the long run, exact (a quotient of integers).
 * ERR_INPUT if the core does not execute an instruction, with the offset of
 * the first. */
int fake_loop_cycles(struct fake_loop *l, const struct fake_code *code,
		     double *ret_cycles, struct err *e);

#endif
