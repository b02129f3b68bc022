/* Kernels as machine code; see kernel.h.  A kernel of one unroll length:
 *
 *	prologue		once, may be empty
 * top:	start			of an iteration, may be empty
 *	writer			of a source of the ops, or none
 *	op 0 .. op unroll-1	each op one instance of every step
 *	end			of an iteration, may be empty
 *	barrier			where the chain is to stay short
 *	decrement, branch top
 *	return
 */
#include "host/gen/kernel.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/surround.h"

#include <string.h>

enum {
	MAX_LOOP_END = 64,
	MAX_START = 128,
};

/* The place of an op, for the calls in it: bytes from the stub to its start. */
struct place {
	size_t from_stub;
	uint32_t n_more; /* instructions in addition to the instances */
};

static int refuse(const struct instance *in, struct err *e)
{
	return err_set(e, ERR_INPUT,
		       "%s: its bytes do not decode to the same "
		       "instruction",
		       in->form->name);
}

static void kernel_add(struct kernel_op *op, const unsigned char *bytes,
		       size_t n)
{
	memcpy(op->bytes + op->n, bytes, n);
	op->n += n;
}

/* Point a call at the stub. */
static size_t encode_call(const struct catalogue *c, const struct instance *in,
			  size_t from_stub, unsigned char *bytes, size_t n)
{
	struct instance call = *in;
	int last = in->form->n_explicit - 1;

	while (last >= 0 && in->form->operands[last].kind != OPERAND_IMM)
		last--;
	if (last >= 0)
		call.imm[last] =
			c->isa->surround->call_immediate(in, from_stub, n);
	n = instance_encode(c, &call, bytes, KERNEL_MAX_INSTRUCTION);
	return instance_round_trips(c, &call) ? n : 0;
}

static int encode_step(const struct catalogue *c, const struct instance *in,
		       struct place *at, struct kernel_op *ret, struct err *e)
{
	const struct isa_surround *s = c->isa->surround;
	unsigned char bytes[KERNEL_MAX_INSTRUCTION];
	struct surround around = { .n_before = 0 };
	size_t n = instance_encode(c, in, bytes, sizeof(bytes));

	if (n == 0 || !instance_round_trips(c, in))
		return refuse(in, e);
	if (s)
		s->around(c, in, n, &around);
	kernel_add(ret, around.before, around.n_before);
	if (s && s->calls(in))
		n = encode_call(c, in, at->from_stub + ret->n, bytes, n);
	if (n == 0)
		return refuse(in, e);
	kernel_add(ret, bytes, n);
	kernel_add(ret, around.behind, around.n_behind);
	at->n_more += around.n_instructions;
	return ERR_OK;
}

static int encode_op(const struct catalogue *c, const struct assigned *a,
		     size_t op, struct place *at, struct kernel_op *ret,
		     struct err *e)
{
	ret->n = 0;
	for (size_t s = 0; s < a->n_steps; s++)
		for (uint16_t i = 0; i < a->together[s]; i++)
			if (encode_step(c, &a->instances[op][s], at, ret, e) !=
			    ERR_OK)
				return e->code;
	return ERR_OK;
}

/* The first op of a chain. */
static int encode_cut(const struct catalogue *c, const struct assigned *a,
		      size_t op, struct place *at, struct kernel_op *ret,
		      struct err *e)
{
	struct instance first = a->instances[op][0];

	first.reg[a->cut_operand] = a->cut_reg;
	ret->n = 0;
	return encode_step(c, &first, at, ret, e);
}

static bool calls(const struct catalogue *c, const struct assigned *a)
{
	return c->isa->surround && c->isa->surround->calls(&a->instances[0][0]);
}

int kernel_end(const struct catalogue *c, const struct assigned *a,
	       size_t body_bytes, struct buffer *code, struct err *e)
{
	unsigned char end[MAX_LOOP_END];
	size_t n = c->isa->loop_end(body_bytes, a->flagless, end, sizeof(end));

	if (n == 0)
		return err_set(e, ERR_INPUT,
			       "%s: no loop end reaches over a body of %zu "
			       "bytes",
			       a->instances[0][0].form->name, body_bytes);
	if (calls(c, a) && c->isa->surround->end)
		c->isa->surround->end(&a->instances[0][0], end, n);
	buffer_add(code, end, n);
	return ERR_OK;
}

size_t kernel_start(const struct catalogue *c, const struct assigned *a,
		    struct buffer *code)
{
	const struct instance *first = &a->instances[0][0];
	unsigned char start[MAX_START];
	size_t stub = 0, n = 0;

	if (c->isa->prologue)
		n = c->isa->prologue(c, first, a->n_steps, start,
				     sizeof(start));
	buffer_add(code, start, n);
	if (!calls(c, a))
		return 0;
	n = c->isa->surround->stub(c, first, start, sizeof(start), &stub);
	buffer_add(code, start, n);
	return n - stub;
}

static size_t add_code(struct buffer *code, const unsigned char *bytes,
		       size_t n)
{
	buffer_add(code, bytes, n);
	return n;
}

static struct surround enclose(const struct catalogue *c,
			       const struct assigned *a)
{
	struct surround s = { .n_before = 0 };

	if (c->isa->surround && c->isa->surround->enclose)
		c->isa->surround->enclose(&a->instances[0][0], &s);
	return s;
}

int kernel_emit(const struct catalogue *c, const struct assigned *a,
		uint32_t unroll, struct kernel_ops *known, struct buffer *code,
		struct err *e)
{
	struct kernel_op cut;
	bool moves = calls(c, a); /* every op differs */
	struct place at = { .from_stub = kernel_start(c, a, code) };
	struct surround iteration = enclose(c, a);
	size_t body = add_code(code, iteration.before, iteration.n_before);

	if (a->has_writer) {
		struct kernel_op writer = { .n = 0 };

		if (encode_step(c, &a->writer, &at, &writer, e) != ERR_OK)
			return e->code;
		body += add_code(code, writer.bytes, writer.n);
	}
	at.from_stub += body;
	for (uint32_t u = 0; u < unroll; u++) {
		size_t i = u % a->period;

		if (known->n == i || moves) {
			if (encode_op(c, a, i, &at, &known->ops[i], e) !=
			    ERR_OK)
				return e->code;
			if (known->n == 0)
				known->n_more = at.n_more;
			known->n += known->n == i;
		}

		const struct kernel_op *op = &known->ops[i];

		if (a->cut_ops > 0 && u % a->cut_ops == 0) {
			if (encode_cut(c, a, i, &at, &cut, e) != ERR_OK)
				return e->code;
			op = &cut;
		}
		buffer_add(code, op->bytes, op->n);
		body += op->n;
		at.from_stub += op->n;
	}
	body += add_code(code, iteration.behind, iteration.n_behind);
	if (a->barrier)
		body += add_code(code, c->isa->barrier.bytes,
				 c->isa->barrier.n);
	return kernel_end(c, a, body, code, e);
}
