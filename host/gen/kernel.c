/* Kernels as machine code; see kernel.h.  A kernel of one unroll length:
 *
 *	prologue		once, may be empty
 * top:	op 0 .. op unroll-1	each op one instance of every step
 *	decrement, branch top
 *	return
 */
#include "host/gen/kernel.h"

#include <string.h>

enum {
	MAX_INSTRUCTION = 16, /* bytes; x86 allows 15 */
	MAX_OP = MAX_INSTRUCTION * EXPERIMENT_MAX_STEPS,
	MAX_LOOP_END = 64,
};

struct op_code {
	size_t n;
	unsigned char bytes[MAX_OP];
};

static int encode_op(const struct catalogue *c, const struct instance *steps,
		     size_t n_steps, struct op_code *ret, struct err *e)
{
	ret->n = 0;
	for (size_t s = 0; s < n_steps; s++) {
		size_t n = instance_encode(c, &steps[s], ret->bytes + ret->n,
					   MAX_INSTRUCTION);

		if (n == 0 || !instance_round_trips(c, &steps[s]))
			return err_set(e, ERR_INPUT,
				       "%s: bytes that decode "
				       "to the same instruction",
				       steps[s].form->name);
		ret->n += n;
	}
	return ERR_OK;
}

static int emit_end(const struct catalogue *c, const struct assigned *a,
		    size_t body_bytes, struct buffer *code, struct err *e)
{
	unsigned char end[MAX_LOOP_END];
	size_t n = c->isa->loop_end(body_bytes, a->flagless, end, sizeof(end));

	if (n == 0)
		return err_set(e, ERR_INPUT,
			       "%s: a loop of less than %zu "
			       "bytes",
			       a->instances[0][0].form->name, body_bytes);
	buffer_add(code, end, n);
	return ERR_OK;
}

int kernel_emit(const struct catalogue *c, const struct assigned *a,
		uint32_t unroll, struct buffer *code, struct err *e)
{
	struct op_code ops[ASSIGN_MAX_PERIOD];
	unsigned char prologue[MAX_LOOP_END];
	size_t body = 0;

	for (size_t op = 0; op < a->period; op++)
		if (encode_op(c, a->instances[op], a->n_steps, &ops[op], e))
			return e->code;
	if (c->isa->prologue)
		buffer_add(code, prologue,
			   c->isa->prologue(a->instances[0][0].form, prologue,
					    sizeof(prologue)));
	for (uint32_t u = 0; u < unroll; u++) {
		const struct op_code *op = &ops[u % a->period];

		buffer_add(code, op->bytes, op->n);
		body += op->n;
	}
	return emit_end(c, a, body, code, e);
}
