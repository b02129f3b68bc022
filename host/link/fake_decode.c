/* Machine code into operations; see fake_kernel.h.
 *
 * The three lengths of a kernel repeat the same few instructions, so each
 * distinct one is decoded once and recognised by its bytes afterwards: no
 * instruction's encoding is the beginning of another's. */
#include <stdlib.h>
#include <string.h>

#include "host/isa/mc.h"
#include "host/link/fake_kernel.h"
#include "host/store/experiment.h"

enum {
	MAX_LOOP_END = 64,
	MAX_PROLOGUE = 64,
	NO_OP = 0xffff,
	NOT_YET = -1,
};

struct fake_decoder {
	const struct catalogue *c;
	const struct core *core;
	const void *pack;
	/* For each form of the catalogue its line of the .core file: index
	 * into core->forms, n_forms if it has none, NOT_YET. */
	uint32_t *by_form;
	struct buffer ops;                    /* struct fake_op, distinct */
	struct buffer sequence[PACK_LENGTHS]; /* uint16_t */
};

struct fake_decoder *fake_decoder_new(const struct catalogue *c,
				      const struct core *core, const void *pack)
{
	struct fake_decoder *d = xrealloc(NULL, 1, sizeof(*d));

	*d = (struct fake_decoder){ .c = c, .core = core, .pack = pack };
	d->by_form = xrealloc(NULL, c->n_forms, sizeof(*d->by_form));
	memset(d->by_form, NOT_YET, c->n_forms * sizeof(*d->by_form));
	return d;
}

void fake_decoder_free(struct fake_decoder *d)
{
	if (!d)
		return;
	buffer_free(&d->ops);
	for (int i = 0; i < PACK_LENGTHS; i++)
		buffer_free(&d->sequence[i]);
	free(d->by_form);
	free(d);
}

static const struct core_form *line_of(struct fake_decoder *d,
				       const struct form *form)
{
	const struct core *core = d->core;
	uint32_t *i = &d->by_form[form - d->c->forms];

	if (*i == (uint32_t)NOT_YET) {
		const struct core_form *found = core_find(core, form->name);

		*i = (uint32_t)(found ? (size_t)(found - core->forms)
				      : core->n_forms);
	}
	return *i < core->n_forms ? &core->forms[*i] : NULL;
}

/* ---- one instruction -------------------------------------------------- */

/* The operands of an instruction that are registers with a state. */
struct operands {
	size_t n_src, n_dst;
	uint8_t src[FAKE_MAX_REGS], dst[FAKE_MAX_REGS]; /* operand numbers */
};

static const struct reg *operand_reg(const struct catalogue *c,
				     const struct instance *i, int operand)
{
	const struct operand *o = &i->form->operands[operand];
	uint16_t r =
		operand < i->form->n_explicit ? i->reg[operand] : o->fixed_reg;

	if ((o->kind != OPERAND_REG && o->kind != OPERAND_MEM) ||
	    r == REG_NONE || r >= c->n_regs || c->regs[r].bank == BANK_NONE)
		return NULL;
	return &c->regs[r];
}

static struct fake_reg slot_of(const struct reg *r)
{
	uint8_t span = r->span ? r->span : 1;

	return (struct fake_reg){
		.slot = (uint16_t)(r->bank % 8 * FAKE_BANK_SLOTS +
				   r->index % FAKE_BANK_SLOTS),
		.span = r->index % FAKE_BANK_SLOTS + span > FAKE_BANK_SLOTS
				? 1
				: span,
	};
}

static bool collect(const struct catalogue *c, const struct instance *i,
		    struct fake_op *op, struct operands *o)
{
	for (int k = 0; k < i->form->n_operands; k++) {
		const struct operand *operand = &i->form->operands[k];
		const struct reg *r = operand_reg(c, i, k);

		if (!r)
			continue;
		if ((operand->read && op->n_src == FAKE_MAX_REGS) ||
		    (operand->write && op->n_dst == FAKE_MAX_REGS))
			return false;
		if (operand->read) {
			o->src[op->n_src] = (uint8_t)k;
			op->src[op->n_src++] = slot_of(r);
		}
		if (operand->write) {
			o->dst[op->n_dst] = (uint8_t)k;
			op->dst[op->n_dst++] = slot_of(r);
		}
	}
	return true;
}

static uint16_t pair_latency(const struct catalogue *c,
			     const struct core_form *core,
			     const struct form *form, int src, int dst)
{
	char from[CORE_NAME_ROOM];
	char to[CORE_NAME_ROOM];

	if (core->eliminated)
		return 0;
	if (core->n_latencies == 0)
		return (uint16_t)core->latency;
	operand_name(c, form, src, from, sizeof(from));
	operand_name(c, form, dst, to, sizeof(to));
	for (size_t i = 0; i < core->n_latencies; i++)
		if (strcmp(core->latencies[i].src, from) == 0 &&
		    strcmp(core->latencies[i].dst, to) == 0)
			return (uint16_t)core->latencies[i].cycles;
	return (uint16_t)core->latency;
}

static void fill_latencies(const struct catalogue *c, const struct form *form,
			   const struct operands *o, struct fake_op *op)
{
	for (size_t d = 0; d < op->n_dst; d++) {
		op->longest[d] = 0;
		for (size_t s = 0; s < op->n_src; s++) {
			uint16_t l = pair_latency(c, op->core, form, o->src[s],
						  o->dst[d]);

			op->latency[s][d] = l;
			if (l > op->longest[d])
				op->longest[d] = l;
		}
		if (op->n_src == 0)
			op->longest[d] = op->core->eliminated
						 ? 0
						 : (uint16_t)op->core->latency;
	}
	for (size_t s = 0; s < op->n_src; s++) {
		uint16_t slack = op->n_dst ? UINT16_MAX : 0;

		for (size_t d = 0; d < op->n_dst; d++)
			if (op->longest[d] - op->latency[s][d] < slack)
				slack = (uint16_t)(op->longest[d] -
						   op->latency[s][d]);
		op->slack[s] = slack;
	}
}

/* Are all registers that are read explicitly the same one? */
static bool one_source(const struct catalogue *c, const struct instance *i)
{
	const struct reg *only = NULL;

	for (int k = 0; k < i->form->n_explicit; k++) {
		const struct reg *r = operand_reg(c, i, k);

		if (!r || !i->form->operands[k].read)
			continue;
		if (only && (only->bank != r->bank || only->index != r->index))
			return false;
		only = r;
	}
	return only != NULL;
}

/* Loops end in these, and no kernel measures them: they cost nothing. */
static bool is_transfer(const struct form *form)
{
	return form->status == FORM_CONTROL_FLOW ||
	       (form->flags & MC_CONTROL_FLOW);
}

/* Decode the instruction at code[0..n) as a new op; its cause of a fault, or
 * NULL.  *ret_op is untouched on a fault. */
static const char *decode_op(struct fake_decoder *d, const unsigned char *code,
			     size_t n, struct fake_op *ret_op)
{
	struct fake_op op = { .n_src = 0 };
	struct operands o;
	struct instance i;

	op.n_bytes = instance_decode(d->c, code, n, &i);
	if (op.n_bytes == 0 || op.n_bytes > sizeof(op.bytes) || !i.form)
		return "illegal";
	memcpy(op.bytes, code, op.n_bytes);
	if (!is_transfer(i.form)) {
		op.core = line_of(d, i.form);
		if (!op.core)
			return "illegal";
		if (op.core->fault)
			return op.core->fault;
		if (!collect(d->c, &i, &op, &o))
			return "illegal";
		fill_latencies(d->c, i.form, &o, &op);
		op.no_wait = op.core->zero_idiom && one_source(d->c, &i);
	}
	*ret_op = op;
	return NULL;
}

/* ---- a kernel --------------------------------------------------------- */

static bool op_is_at(const struct fake_op *op, const unsigned char *code,
		     size_t n)
{
	return op->n_bytes <= n && memcmp(op->bytes, code, op->n_bytes) == 0;
}

/* The op at code[0..n): known already, the successor of the last one first;
 * NO_OP when it must be decoded. */
static uint16_t known_op(const struct fake_decoder *d, uint16_t last,
			 const unsigned char *code, size_t n)
{
	const struct fake_op *ops = (const void *)d->ops.bytes;
	size_t n_ops = d->ops.n / sizeof(*ops);

	for (size_t k = 0; k < n_ops; k++) {
		size_t i = (last + 1 + k) % n_ops;

		if (op_is_at(&ops[i], code, n))
			return (uint16_t)i;
	}
	return NO_OP;
}

static const char *decode_range(struct fake_decoder *d,
				const unsigned char *code, size_t n, int length,
				uint32_t *ret_at)
{
	uint16_t op = 0;

	for (size_t at = 0; at < n;) {
		struct fake_op new_op;
		const char *fault = NULL;

		op = known_op(d, op, code + at, n - at);
		if (op == NO_OP) {
			fault = decode_op(d, code + at, n - at, &new_op);
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
		at += ((const struct fake_op *)(const void *)d->ops.bytes)[op]
			      .n_bytes;
	}
	return NULL;
}

/* Where the loop starts and what stands behind it.  Both follow from the one
 * loop end that the ISA puts behind a body of this size; code that does not
 * end so is taken as a loop as a whole. */
static size_t prologue_bytes(const struct isa *isa, const unsigned char *code,
			     size_t n)
{
	size_t most = n < MAX_PROLOGUE ? n : MAX_PROLOGUE;

	for (size_t prologue = 0; prologue < most; prologue++) {
		for (size_t end = 1; end < MAX_LOOP_END && prologue + end < n;
		     end++) {
			unsigned char bytes[MAX_LOOP_END];
			size_t body = n - prologue - end;

			for (int flagless = 0; flagless < 2; flagless++)
				if (isa->loop_end(body, flagless, bytes,
						  sizeof(bytes)) == end &&
				    memcmp(bytes, code + n - end, end) == 0)
					return prologue;
		}
	}
	return 0;
}

static const char *decode_length(struct fake_decoder *d,
				 const struct pack_kernel *k, int length,
				 uint32_t *ret_pc)
{
	const unsigned char *code = pack_code(d->pack) + k->code_offset[length];
	size_t n = k->code_bytes[length];
	size_t start = prologue_bytes(d->c->isa, code, n);
	const char *fault;

	d->sequence[length].n = 0;
	fault = decode_range(d, code + start, n - start, length, ret_pc);
	*ret_pc += (uint32_t)start;
	return fault;
}

void fake_decode(struct fake_decoder *d, uint32_t index,
		 struct fake_kernel *ret)
{
	const struct pack_kernel *k = &pack_kernels(d->pack)[index];
	struct fake_kernel kernel = { .fault = NULL };

	d->ops.n = 0;
	for (int i = 0; i < PACK_LENGTHS && !kernel.fault; i++)
		kernel.fault = decode_length(d, k, i, &kernel.fault_pc);
	kernel.ops = (const void *)d->ops.bytes;
	for (int i = 0; i < PACK_LENGTHS; i++) {
		kernel.sequence[i] = (const void *)d->sequence[i].bytes;
		kernel.n[i] = d->sequence[i].n / sizeof(uint16_t);
	}
	*ret = kernel;
}
