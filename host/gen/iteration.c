/* Short loops of no-operations: how long the front end takes for an iteration.
 *
 *	padding
 * top:	decrement, instances of the first step
 *	instances of the second step, if there is one
 *	branch top
 *
 * With one step the loop begins at a line of code.  With two the second step
 * does, and the loop begins in the line before.  The longer lengths repeat the
 * whole body; what counts is the time of the shortest. */
#include "host/gen/kernel.h"
#include "host/isa/isa.h"

/* Bytes from the top of the loop to the line that follows. */
static size_t first_bytes(const struct experiment *x,
			  const struct kernel_code *ops)
{
	return x->n_steps > 1 ? ISA_COUNT_BYTES + x->steps[0].count * ops[0].n
			      : 0;
}

int iteration_emit(const struct catalogue *c, const struct experiment *x,
		   const struct assigned *a, uint32_t bodies,
		   struct buffer *code, struct err *e)
{
	struct kernel_code ops[EXPERIMENT_MAX_STEPS];
	const struct isa_code *pad = &c->isa->padding;
	size_t begin = code->n, top, body = 0;

	for (size_t s = 0; s < x->n_steps; s++)
		if (kernel_encode(c, &a->instances[0][s], &ops[s], e) != ERR_OK)
			return e->code;
	(void)kernel_start(c, a, code);
	while ((code->n - begin + first_bytes(x, ops)) % KERNEL_LINE >= pad->n)
		buffer_add(code, pad->bytes, pad->n);
	kernel_count(c, a, code);
	top = code->n;
	for (uint32_t i = 0; i < bodies; i++)
		for (size_t s = 0; s < x->n_steps; s++)
			for (uint32_t k = 0; k < x->steps[s].count; k++)
				buffer_add(code, ops[s].bytes, ops[s].n);
	body = code->n - top;
	return kernel_end(c, a, body, code, e);
}
