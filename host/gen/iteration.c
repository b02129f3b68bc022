/* Short loops of no-operations: how long the front end takes for an iteration.
 *
 *	padding
 * top:	decrement, instances of the first step
 *	instances of the second step, if there is one
 *	branch top
 *
 * With one step the loop begins at a line of code.  With two the second step
 * does, and the loop begins in the line before.  Of a `crossing` the first byte
 * of the branch is the last one of a line.  The longer lengths repeat the whole
 * body; what counts is the time of the shortest. */
#include "host/gen/kernel.h"
#include "host/isa/isa.h"

enum { MAX_LOOP_END = 64 };

static size_t body_bytes(const struct experiment *x,
			 const struct kernel_code *ops)
{
	size_t n = 0;

	for (size_t s = 0; s < x->n_steps; s++)
		n += x->steps[s].count * ops[s].n;
	return n;
}

/* Bytes from the top of the loop to a line that begins in it or at its top. */
static size_t bytes_to_line(const struct experiment *x,
			    const struct kernel_code *ops, uint32_t bodies)
{
	if (x->kind == EXPERIMENT_CROSSING)
		return ISA_COUNT_BYTES + bodies * body_bytes(x, ops) + 1;
	return x->n_steps > 1 ? ISA_COUNT_BYTES + x->steps[0].count * ops[0].n
			      : 0;
}

int iteration_emit(const struct catalogue *c, const struct experiment *x,
		   const struct assigned *a, uint32_t bodies,
		   struct buffer *code, struct err *e)
{
	struct kernel_code ops[EXPERIMENT_MAX_STEPS];
	const struct isa_code *pad = &c->isa->padding;
	unsigned char end[MAX_LOOP_END];
	size_t begin = code->n, n_end;

	for (size_t s = 0; s < x->n_steps; s++)
		if (kernel_encode(c, &a->instances[0][s], &ops[s], e) != ERR_OK)
			return e->code;
	n_end = c->isa->loop_end(bodies * body_bytes(x, ops), a->flagless, end,
				 sizeof(end));
	if (n_end == 0)
		return err_set(e, ERR_INPUT, "%s: the loop is too long",
			       x->steps[0].form->name);
	(void)kernel_start(c, a, code);
	while ((code->n - begin + bytes_to_line(x, ops, bodies)) %
		       KERNEL_LINE >=
	       pad->n)
		buffer_add(code, pad->bytes, pad->n);
	/* The decrement comes first, so it cannot fuse with the branch.  An
	 * unfused decrement may be executed at rename. */
	buffer_add(code, end, ISA_COUNT_BYTES);
	for (uint32_t i = 0; i < bodies; i++)
		for (size_t s = 0; s < x->n_steps; s++)
			for (uint32_t k = 0; k < x->steps[s].count; k++)
				buffer_add(code, ops[s].bytes, ops[s].n);
	buffer_add(code, end + ISA_COUNT_BYTES, n_end - ISA_COUNT_BYTES);
	return ERR_OK;
}
