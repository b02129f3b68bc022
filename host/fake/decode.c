/* Machine code into operations; see kernel.h.
 *
 * The three lengths of a kernel repeat the same few instructions, so each
 * distinct one is decoded once and recognised by its bytes afterwards: no
 * instruction's encoding is the beginning of another's. */
#include <stdlib.h>
#include <string.h>

#include "host/fake/calls.h"
#include "host/fake/op.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"

enum {
	MAX_LOOP_END = 64,
	MAX_PROLOGUE = 128,
	NO_OP = 0xffff,
};

struct fake_decoder {
	const void *pack;
	struct fake_op_decoder op;
	struct buffer ops;                    /* struct fake_op, distinct */
	struct buffer sequence[PACK_LENGTHS]; /* uint16_t */
};

struct fake_decoder *fake_decoder_new(const struct catalogue *c,
				      const struct core *core, const void *pack)
{
	struct fake_decoder *d = xrealloc(NULL, 1, sizeof(*d));

	*d = (struct fake_decoder){ .pack = pack };
	fake_op_decoder_open(&d->op, c, core);
	return d;
}

void fake_decoder_free(struct fake_decoder *d)
{
	if (!d)
		return;
	buffer_free(&d->ops);
	for (int i = 0; i < PACK_LENGTHS; i++)
		buffer_free(&d->sequence[i]);
	fake_op_decoder_close(&d->op);
	free(d);
}

/* ---- a kernel --------------------------------------------------------- */

/* On the stack, the same bytes access other places when the pointer moved. */
static bool op_is_at(const struct fake_op *op, const unsigned char *code,
		     size_t n, int64_t moved)
{
	return op->n_bytes <= n && (!op->on_stack || op->moved == moved) &&
	       memcmp(op->bytes, code, op->n_bytes) == 0;
}

/* The op at code[0..n): known already, the successor of the last one first;
 * NO_OP when it must be decoded. */
static uint16_t known_op(const struct fake_decoder *d, uint16_t last,
			 const unsigned char *code, size_t n, int64_t moved)
{
	const struct fake_op *ops = (const void *)d->ops.bytes;
	size_t n_ops = d->ops.n / sizeof(*ops);

	for (size_t k = 0; k < n_ops; k++) {
		size_t i = (last + 1 + k) % n_ops;

		if (op_is_at(&ops[i], code, n, moved))
			return (uint16_t)i;
	}
	return NO_OP;
}

static const char *decode_range(struct fake_decoder *d,
				struct fake_place *place,
				const unsigned char *code, size_t n, int length,
				uint32_t *ret_at)
{
	uint16_t op = 0;

	for (size_t at = 0; at < n;) {
		struct fake_op new_op;
		const struct fake_op *found;
		const char *fault = NULL;

		op = known_op(d, op, code + at, n - at, place->moved);
		if (op == NO_OP) {
			fault = fake_decode_op(&d->op, place, code + at, n - at,
					       &new_op);
			op = (uint16_t)(d->ops.n / sizeof(new_op));
			if (!fault && op == NO_OP)
				fault = "illegal";
		}
		if (fault) {
			*ret_at = (uint32_t)at;
			return fault;
		}
		if (op == d->ops.n / sizeof(new_op))
			buffer_add(&d->ops, &new_op, sizeof(new_op));
		buffer_add(&d->sequence[length], &op, sizeof(op));
		found = (const struct fake_op *)(const void *)d->ops.bytes + op;
		at += found->n_next;
		place->moved += found->moves;
	}
	return NULL;
}

/* Does the code end like a loop of `body` bytes?  The decrement may be at the
 * start of the loop instead.  Returns the bytes of the end; 0: no. */
static size_t loop_end_bytes(const struct isa *isa, const unsigned char *code,
			     size_t n, size_t body, size_t end)
{
	unsigned char bytes[MAX_LOOP_END];

	for (int flagless = 0; flagless < 2; flagless++) {
		size_t rest = end - ISA_COUNT_BYTES;

		if (isa->loop_end(body, flagless, bytes, sizeof(bytes)) != end)
			continue;
		if (memcmp(bytes, code + n - end, end) == 0)
			return end;
		if (memcmp(bytes, code + n - end - body, ISA_COUNT_BYTES) ==
			    0 &&
		    memcmp(bytes + ISA_COUNT_BYTES, code + n - rest, rest) == 0)
			return rest;
	}
	return 0;
}

/* The start of the loop, and the bytes that end it.  Both follow from the
 * loop end that the ISA puts behind a body of this size.  Code that does not
 * end like this is taken as a loop as a whole. */
static size_t prologue_bytes(const struct isa *isa, const unsigned char *code,
			     size_t n, size_t *ret_end)
{
	size_t most = n < MAX_PROLOGUE ? n : MAX_PROLOGUE + 1;

	for (size_t prologue = 0; prologue < most; prologue++) {
		for (size_t end = ISA_COUNT_BYTES + 1;
		     end < MAX_LOOP_END && prologue + end < n; end++) {
			*ret_end = loop_end_bytes(isa, code, n,
						  n - prologue - end, end);
			if (*ret_end > 0)
				return prologue;
		}
	}
	*ret_end = 0;
	return 0;
}

/* Bytes from an op back to where it jumps, 0: it does not jump back. */
static size_t jumps_back(const struct fake_decoder *d, const struct fake_op *op)
{
	const struct catalogue *c = d->op.c;
	struct instance i = { 0 };
	int64_t offset;

	if (instance_decode(c, op->bytes, op->n_bytes, &i) == 0 || !i.form ||
	    !c->isa->loop->jump(c, &i, op->n_bytes, &offset) || offset >= 0)
		return 0;
	return (size_t)-offset;
}

static struct fake_inner_loop find_inner(const struct fake_decoder *d,
					 int length)
{
	const uint16_t *sequence = (const void *)d->sequence[length].bytes;
	const struct fake_op *ops = (const void *)d->ops.bytes;
	size_t n = d->sequence[length].n / sizeof(*sequence);
	struct fake_inner_loop ret = { .last = 0 };

	for (size_t i = 0; i < n; i++) {
		size_t back = jumps_back(d, &ops[sequence[i]]), first = i;

		if (back == 0)
			continue;
		if (ret.last > 0)
			return ret;
		while (back > 0 && first > 0 &&
		       ops[sequence[first - 1]].n_next <= back)
			back -= ops[sequence[--first]].n_next;
		ret = (struct fake_inner_loop){ first, i };
	}
	return (struct fake_inner_loop){ .last = 0 };
}

/* A loop inside the kernel makes as many trips as the kernel has bodies.  How
 * its registers end it is not simulated. */
static void repeat_inner(struct buffer *b, struct fake_inner_loop l,
			 uint32_t trips)
{
	size_t body = (l.last + 1 - l.first) * sizeof(uint16_t);
	size_t begin = l.first * sizeof(uint16_t);
	struct buffer all = { 0 };

	if (l.last == 0)
		return;
	buffer_add(&all, b->bytes, begin);
	for (uint32_t i = 0; i < trips; i++)
		buffer_add(&all, b->bytes + begin, body);
	buffer_add(&all, b->bytes + begin + body, b->n - begin - body);
	buffer_free(b);
	*b = all;
}

/* The sequence of own code as it is executed; returns a fault, or NULL. */
static const char *execute_code(struct fake_decoder *d, int length,
				uint32_t trips)
{
	const struct fake_op *ops = (const void *)d->ops.bytes;
	struct buffer *b = &d->sequence[length];
	struct fake_inner_loop l = { .last = 0 };
	enum fake_calls calls = fake_follow_calls(d->op.c, ops, b, &l);

	if (calls == FAKE_CALLS_LOST)
		return "access";
	if (calls == FAKE_CALLS_NONE)
		l = find_inner(d, length);
	repeat_inner(b, l, trips);
	return NULL;
}

static const char *decode_length(struct fake_decoder *d,
				 struct fake_place *place,
				 const struct pack_kernel *k, int length,
				 uint32_t *ret_pc)
{
	const unsigned char *code = pack_code(d->pack) + k->code_offset[length];
	size_t n = k->code_bytes[length];
	size_t end, start = prologue_bytes(d->op.c->isa, code, n, &end);
	const char *fault;

	place->prologue = code;
	place->prologue_bytes = start;
	place->ends_loop = false;
	place->moved = 0;
	fault = decode_range(d, place, code + start, n - end - start, length,
			     ret_pc);
	*ret_pc += (uint32_t)start;
	if (fault || end == 0)
		return fault;
	place->ends_loop = true;
	fault = decode_range(d, place, code + n - end, end, length, ret_pc);
	*ret_pc += (uint32_t)(n - end);
	return fault;
}

/* ---- occupancy by layout ------------------------------------------------ */

/* Accesses by their distance from the one before, branches by that to the
 * next. */
enum { LINE = 64, CLOSE = 16 };

static bool accesses(const struct fake_op *op)
{
	return op->takes[FAKE_LOAD] || op->takes[FAKE_STORE];
}

static void space(struct fake_op *op, enum core_spacing spacing)
{
	if (op->core && op->core->spaced[spacing])
		op->core = op->core->spaced[spacing];
}

/* A form that has such an occupancy is a branch. */
static void space_branch(struct fake_op *op)
{
	if (op->n_next < CLOSE)
		space(op, CORE_DENSE);
	else if (op->n_next < LINE)
		space(op, CORE_CLOSE);
}

static void space_access(struct fake_op *op, uint64_t before)
{
	if (op->address == before)
		space(op, CORE_SAME_PLACE);
	else if (op->address / LINE == before / LINE)
		space(op, CORE_SAME_LINE);
	else
		space(op, CORE_OTHER_LINE);
}

/* The previous access of the same kind.  The loop repeats, so the last
 * access precedes the first.  An access with several instances counts at its
 * first. */
static void space_ops(struct fake_op *ops, const uint16_t *sequence, size_t n)
{
	uint64_t before[2] = { 0 }; /* load, store */
	uint16_t n_seen = 0;

	for (size_t i = 0; i < n; i++)
		if (accesses(&ops[sequence[i]]))
			before[ops[sequence[i]].takes[FAKE_STORE]] =
				ops[sequence[i]].address;
	for (size_t i = 0; i < n; i++) {
		struct fake_op *op = &ops[sequence[i]];
		bool first = sequence[i] >= n_seen;

		n_seen = first ? (uint16_t)(sequence[i] + 1) : n_seen;
		if (first && accesses(op))
			space_access(op, before[op->takes[FAKE_STORE]]);
		else if (first)
			space_branch(op);
		if (accesses(op))
			before[op->takes[FAKE_STORE]] = op->address;
	}
}

/* ---- what was decoded --------------------------------------------------- */

static void forget(struct fake_decoder *d)
{
	d->ops.n = 0;
	for (int i = 0; i < PACK_LENGTHS; i++)
		d->sequence[i].n = 0;
}

/* What was decoded, as a kernel. */
static struct fake_kernel finish(struct fake_decoder *d, const char *fault,
				 uint32_t fault_pc)
{
	struct fake_op *ops = (void *)d->ops.bytes;
	struct fake_kernel kernel = {
		.ops = ops,
		.fault = fault,
		.fault_pc = fault_pc,
	};

	space_ops(ops, (const void *)d->sequence[0].bytes,
		  d->sequence[0].n / sizeof(uint16_t));
	for (size_t i = 0; i < d->ops.n / sizeof(*ops); i++)
		if (ops[i].core && ops[i].core->slow_share > kernel.slow_share)
			kernel.slow_share = ops[i].core->slow_share;
	if (!fault && !fake_assign_cells(ops, d->ops.n / sizeof(*ops)))
		kernel.fault = "access";
	for (int i = 0; i < PACK_LENGTHS; i++) {
		kernel.sequence[i] = (const void *)d->sequence[i].bytes;
		kernel.n[i] = d->sequence[i].n / sizeof(uint16_t);
	}
	return kernel;
}

void fake_decode(struct fake_decoder *d, uint32_t index,
		 struct fake_kernel *ret)
{
	const struct pack_kernel *k = &pack_kernels(d->pack)[index];
	struct fake_place place = { .image = &pack_images(d->pack)[k->image] };
	const char *fault = NULL;
	uint32_t fault_pc = 0;
	struct err e = { 0 };
	bool is_code = strncmp(pack_label(d->pack, k), "code:", 5) == 0;

	/* A label that this program did not make has no variants. */
	(void)experiment_parse(d->op.c, pack_label(d->pack, k),
			       &place.experiment, &e);
	place.whole = is_code;
	forget(d);
	for (int i = 0; i < PACK_LENGTHS && !fault; i++) {
		fault = decode_length(d, &place, k, i, &fault_pc);
		if (!fault && is_code)
			fault = execute_code(d, i, k->unroll[i]);
	}
	*ret = finish(d, fault, fault_pc);
	ret->image = place.image;
}

void fake_decode_loop(struct fake_decoder *d, const struct fake_code *code,
		      struct fake_kernel *ret)
{
	struct fake_place place = {
		.whole = true,
		.follows = true,
		.prologue = code->setup,
		.prologue_bytes = code->setup_bytes,
	};
	uint32_t fault_pc = 0;
	const char *fault;

	forget(d);
	fault = decode_range(d, &place, code->loop, code->loop_bytes, 0,
			     &fault_pc);
	*ret = finish(d, fault, fault_pc);
}
