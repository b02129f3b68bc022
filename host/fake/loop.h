/* The truth about any loop on an invented core: what a prediction of it can be
 * held against.
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
 * The code is what stands between the label and the branch, or with the
 * branch: branches cost nothing.  It runs over and over, without a loop
 * counter of its own.  Every register keeps the address it has in the first
 * iteration, and no two registers point into the same memory. */
#ifndef FAKE_LOOP_H
#define FAKE_LOOP_H

#include "host/fake/kernel.h"

struct fake_loop;

/* Both must outlive it. */
struct fake_loop *fake_loop_new(const struct catalogue *c,
				const struct core *core);
void fake_loop_free(struct fake_loop *l);

/* Core cycles per iteration in the long run, exact (a quotient of integers).
 * ERR_INPUT when the core does not run these instructions, with the offset of
 * the first it does not. */
int fake_loop_cycles(struct fake_loop *l, const struct fake_code *code,
		     double *ret_cycles, struct err *e);

#endif
