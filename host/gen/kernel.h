/* Kernels: assigned registers become loops of machine code. */
#ifndef GEN_KERNEL_H
#define GEN_KERNEL_H

#include "host/base/file.h"
#include "host/gen/assign.h"
#include "host/isa/surround.h"

enum {
	KERNEL_MAX_INSTRUCTION = 16, /* bytes; x86 allows 15 */
	KERNEL_MAX_OP = (KERNEL_MAX_INSTRUCTION + 2 * SURROUND_ROOM) *
			EXPERIMENT_MAX_STEPS,
};

struct kernel_op {
	size_t n;
	unsigned char bytes[KERNEL_MAX_OP];
};

/* The machine code of the ops of one assignment, shared by the lengths of a
 * kernel. */
struct kernel_ops {
	size_t n;        /* known ops, initially 0 */
	uint32_t n_more; /* of one op, in addition to its instances */
	struct kernel_op ops[ASSIGN_MAX_PERIOD];
};

/* Append one kernel to `code`: prologue, `unroll` ops, loop end.  Every
 * distinct instruction is encoded, decoded again and compared once;
 * ERR_INPUT if the result differs.  *ret_more: instructions of an op in
 * addition to its instances. */
int kernel_emit(const struct catalogue *c, const struct assigned *a,
		uint32_t unroll, struct kernel_ops *known, struct buffer *code,
		uint32_t *ret_more, struct err *e);

/* The same for a mix: each of the `bodies` has the instances of every step that
 * its count says, evenly interleaved. */
int mix_emit(const struct catalogue *c, const struct experiment *x,
	     const struct assigned *a, uint32_t bodies, struct buffer *code,
	     struct err *e);

/* Bodies of a mix for about this many instances. */
uint32_t mix_bodies(const struct experiment *x, uint32_t instances);

/* Instances in a body, and instructions: helpers precede each instance of the
 * step that they belong to. */
uint32_t mix_instances(const struct experiment *x);
uint32_t mix_instructions(const struct experiment *x);

/* Cycles that one of `bodies` bodies waits for registers, if the latencies of
 * its steps are known. */
double mix_wait(const struct experiment *x, const struct assigned *a,
		uint32_t bodies);

/* The same for chains with fillers: `chains` chains of
 * EXPERIMENT_WINDOW_GROUPS groups each.  Instructions of one chain. */
int window_emit(const struct catalogue *c, const struct experiment *x,
		const struct assigned *a, uint32_t chains, struct buffer *code,
		struct err *e);
uint32_t window_instructions(const struct experiment *x);

/* The code of one instance between other instructions; ERR_INPUT if the form
 * cannot be encoded alone. */
struct kernel_code {
	size_t n;
	unsigned char bytes[KERNEL_MAX_INSTRUCTION];
};
int kernel_encode(const struct catalogue *c, const struct instance *in,
		  struct kernel_code *ret, struct err *e);

/* Code before the loop, and its end, common to kernels of both kinds.
 * kernel_start() returns bytes from the stub to the end of this code. */
size_t kernel_start(const struct catalogue *c, const struct assigned *a,
		    struct buffer *code);
int kernel_end(const struct catalogue *c, const struct assigned *a,
	       size_t body_bytes, struct buffer *code, struct err *e);

#endif
