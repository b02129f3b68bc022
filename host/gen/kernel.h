/* Kernels: assigned registers become loops of machine code. */
#ifndef GEN_KERNEL_H
#define GEN_KERNEL_H

#include "host/base/file.h"
#include "host/gen/assign.h"
#include "host/isa/surround.h"
#include "host/store/store_kernel.h"

enum {
	KERNEL_MAX_INSTRUCTION = 16, /* bytes; x86 allows 15 */
	KERNEL_LINE = 64, /* bytes of a line of code; kernels begin at one */
	KERNEL_MAX_OP = (KERNEL_MAX_INSTRUCTION + 2 * SURROUND_ROOM) *
			EXPERIMENT_MAX_BEHIND,
};

_Static_assert((int)EXPERIMENT_MAX_BEHIND >= (int)EXPERIMENT_MAX_STEPS,
	       "room for every op");

struct kernel_op {
	size_t n;
	unsigned char bytes[KERNEL_MAX_OP];
};

/* The machine code of the ops of one assignment, shared by the lengths of a
 * kernel. */
struct kernel_ops {
	size_t n;        /* ops already encoded, initially 0 */
	uint32_t n_more; /* instructions of an op that are no instances */
	struct kernel_op ops[ASSIGN_MAX_PERIOD];
};

/* Append one kernel to `code`: prologue, `unroll` ops, loop end.  Every
 * distinct instruction is encoded, decoded again and compared once;
 * ERR_INPUT if the result differs. */
int kernel_emit(const struct catalogue *c, const struct assigned *a,
		uint32_t unroll, struct kernel_ops *known, struct buffer *code,
		struct err *e);

/* Append the kernel of a mix.  Each of its `bodies` bodies has `count`
 * instances of every step, evenly interleaved. */
int mix_emit(const struct catalogue *c, const struct experiment *x,
	     const struct assigned *a, uint32_t bodies, struct buffer *code,
	     struct err *e);

/* Number of bodies that have about `instances` instances. */
uint32_t mix_bodies(const struct experiment *x, uint32_t instances);

/* Instances in a body; instructions in a body, with the helpers that precede
 * each instance of their step. */
uint32_t mix_instances(const struct experiment *x);
uint32_t mix_instructions(const struct experiment *x);

/* Lower bound of the cycles per body from dependencies through registers that
 * are used again: the largest over the steps.  Steps of unknown latency (0)
 * count nothing. */
double mix_wait(const struct experiment *x, const struct assigned *a,
		uint32_t bodies);

/* window_emit() appends the kernel of a window experiment: `chains` chains of
 * EXPERIMENT_WINDOW_GROUPS groups each, with fillers between the groups.
 * window_instructions() is the number of instructions of one chain. */
int window_emit(const struct catalogue *c, const struct experiment *x,
		const struct assigned *a, uint32_t chains, struct buffer *code,
		struct err *e);
uint32_t window_instructions(const struct experiment *x);

/* Append the kernel of an iteration experiment: `bodies` bodies, each with all
 * instances of the first step and then all of the second.  The first instance
 * of the second step begins a line of code; without a second step the loop
 * does. */
int iteration_emit(const struct catalogue *c, const struct experiment *x,
		   const struct assigned *a, uint32_t bodies,
		   struct buffer *code, struct err *e);

/* Encode one instance into a buffer of its own; ERR_INPUT if it does not
 * encode, or needs code around it. */
struct kernel_code {
	size_t n;
	unsigned char bytes[KERNEL_MAX_INSTRUCTION];
};
int kernel_encode(const struct catalogue *c, const struct instance *in,
		  struct kernel_code *ret, struct err *e);

/* Append the code before the loop (kernel_start()) and the code at its end
 * (kernel_end()).  If a kernel has call instructions, the code before the loop
 * contains the function that they call.
 * kernel_start() returns the bytes from this function to the end of that code;
 * 0: no function. */
size_t kernel_start(const struct catalogue *c, const struct assigned *a,
		    struct buffer *code);
int kernel_end(const struct catalogue *c, const struct assigned *a,
	       size_t body_bytes, struct buffer *code, struct err *e);

#endif
