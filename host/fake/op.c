/* Machine code into one operation; see op.h. */
#include "host/fake/op.h"

#include <stdlib.h>
#include <string.h>

#include "host/isa/branch.h"
#include "host/isa/carrier.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/mc.h"
#include "host/isa/variant.h"

enum { NOT_YET = -1, MAX_JUMP = 4096 };

void fake_op_decoder_open(struct fake_op_decoder *d, const struct catalogue *c,
			  const struct core *core)
{
	*d = (struct fake_op_decoder){ .c = c, .core = core };
	d->by_form = xrealloc(NULL, c->n_forms, sizeof(*d->by_form));
	memset(d->by_form, NOT_YET, c->n_forms * sizeof(*d->by_form));
}

void fake_op_decoder_close(struct fake_op_decoder *d)
{
	free(d->by_form);
}

/* For an instruction whose line depends on its immediate. */
static const struct core_form *line_of_number(const struct core *core,
					      const struct instance *i)
{
	for (int k = 0; k < i->form->n_explicit; k++)
		if (i->form->operands[k].kind == OPERAND_IMM)
			return core_find_number(core, i->form->name,
						&i->imm[k]);
	return core_find(core, i->form->name);
}

static const struct core_form *line_of(struct fake_op_decoder *d,
				       const struct instance *instance)
{
	const struct core *core = d->core;
	const struct form *form = instance->form;
	uint32_t *i = &d->by_form[form - d->c->forms];

	if (core->has_numbers)
		return line_of_number(core, instance);
	if (*i == (uint32_t)NOT_YET) {
		const struct core_form *found = core_find(core, form->name);

		*i = (uint32_t)(found ? (size_t)(found - core->forms)
				      : core->n_forms);
	}
	return *i < core->n_forms ? &core->forms[*i] : NULL;
}

enum { MEMORY = 0xff }; /* what is accessed, as an operand number */

/* The operands of an instruction that have a state: registers and memory. */
struct operands {
	size_t n_src, n_dst;
	uint8_t src[FAKE_MAX_REGS], dst[FAKE_MAX_REGS]; /* operand numbers */
};

/* Does the register always contain zero? */
static bool is_zero(const struct catalogue *c, uint16_t r)
{
	return c->isa->loop && c->regs[r].bank == BANK_GPR &&
	       c->regs[r].index == c->isa->loop->zero_gpr;
}

static const struct reg *operand_reg(const struct catalogue *c,
				     const struct instance *i, int operand)
{
	const struct operand *o = &i->form->operands[operand];
	uint16_t r =
		operand < i->form->n_explicit ? i->reg[operand] : o->fixed_reg;

	if ((o->kind != OPERAND_REG && o->kind != OPERAND_MEM) ||
	    r == REG_NONE || r >= c->n_regs || c->regs[r].bank == BANK_NONE ||
	    is_zero(c, r))
		return NULL;
	return &c->regs[r];
}

/* Some decoders name only the first register of a group.  The operand's
 * class gives the number of registers. */
static uint8_t span_of(const struct catalogue *c, const struct operand *o,
		       const struct reg *r)
{
	uint8_t span = r->span ? r->span : 1;
	const struct reg_class *k;

	if (o->reg_class == CLASS_NONE)
		return span;
	k = &c->classes[o->reg_class];
	if (k->n_regs > 0 && c->regs[k->regs[0]].span > span)
		span = c->regs[k->regs[0]].span;
	return span;
}

static struct fake_reg slot_of(const struct catalogue *c,
			       const struct operand *o, const struct reg *r)
{
	uint8_t span = span_of(c, o, r);

	return (struct fake_reg){
		.slot = (uint16_t)(r->bank * FAKE_BANK_SLOTS +
				   r->index % FAKE_BANK_SLOTS),
		.span = r->index % FAKE_BANK_SLOTS + span > FAKE_BANK_SLOTS
				? 1
				: span,
	};
}

static void name_operand(const struct catalogue *c, const struct form *form,
			 int operand, char name[CORE_NAME_ROOM])
{
	if (operand == MEMORY)
		memcpy(name, "mem", 4);
	else
		operand_name(c, form, operand, name, CORE_NAME_ROOM);
}

/* The line of a pair of operands, or NULL. */
static const struct core_latency *find_pair(const struct catalogue *c,
					    const struct core_form *core,
					    const struct form *form, int src,
					    int dst)
{
	char from[CORE_NAME_ROOM];
	char to[CORE_NAME_ROOM];

	if (core->n_latencies == 0)
		return NULL;
	name_operand(c, form, src, from);
	name_operand(c, form, dst, to);
	for (size_t i = 0; i < core->n_latencies; i++)
		if (strcmp(core->latencies[i].src, from) == 0 &&
		    strcmp(core->latencies[i].dst, to) == 0)
			return &core->latencies[i];
	return NULL;
}

/* Is it the stack pointer as a result that the renamer computes? */
static bool is_renamed(const struct fake_op_decoder *d,
		       const struct instance *i, const struct operand *o)
{
	return d->core->stack_engine && o->implicit &&
	       fake_stack_move(d->c, i->form) != 0 &&
	       d->c->regs[o->fixed_reg].bank == BANK_GPR &&
	       d->c->regs[o->fixed_reg].index == d->c->isa->loop->stack_gpr;
}

static bool op_collect(const struct fake_op_decoder *d,
		       const struct instance *i, struct fake_op *op,
		       struct operands *o)
{
	const struct catalogue *c = d->c;

	for (int k = 0; k < i->form->n_operands; k++) {
		const struct operand *operand = &i->form->operands[k];
		const struct reg *r = operand_reg(c, i, k);
		/* A kept flag is a source if the file gives a latency for
		 * it. */
		bool kept =
			operand->keeps && find_pair(c, op->core, i->form, k, k);
		bool reads = operand->read || kept ||
			     (op->core->merges && !operand->implicit);
		bool writes = operand->write || kept;

		if (!r)
			continue;
		writes = writes && !is_renamed(d, i, operand);
		if ((reads && op->n_src == FAKE_MAX_REGS) ||
		    (writes && op->n_dst == FAKE_MAX_REGS))
			return false;
		if (reads) {
			o->src[op->n_src] = (uint8_t)k;
			op->src[op->n_src++] = slot_of(c, operand, r);
		}
		if (writes) {
			o->dst[op->n_dst] = (uint8_t)k;
			op->dst[op->n_dst++] = slot_of(c, operand, r);
			op->takes[FAKE_VECTOR] |=
				r->bank == BANK_VECTOR || r->bank == BANK_FP;
		}
	}
	return true;
}

/* Memory follows the registers.  Its cells are known after all ops are
 * decoded. */
static bool collect_memory(const struct fake_place *place,
			   const struct catalogue *c, const struct instance *i,
			   struct fake_op *op, struct operands *o)
{
	const struct form *f = i->form;
	unsigned access = f->access;

	/* Its address is no operand. */
	if (access == 0 && op->moves != 0)
		access = (f->flags & MC_MAY_LOAD ? ACCESS_LOAD : 0u) |
			 (f->flags & MC_MAY_STORE ? ACCESS_STORE : 0u);
	if (access == 0)
		return true;
	if (op->n_src == FAKE_MAX_REGS || op->n_dst == FAKE_MAX_REGS)
		return false;
	op->address = fake_address(c, i, place->image, place->moved);
	op->on_stack = fake_is_on_stack(c, i);
	op->loads = op->takes[FAKE_LOAD] = access & ACCESS_LOAD;
	op->stores = op->takes[FAKE_STORE] = access & ACCESS_STORE;
	if (op->loads)
		o->src[op->n_src++] = MEMORY;
	if (op->stores)
		o->dst[op->n_dst++] = MEMORY;
	return true;
}

static void fill_latencies(const struct catalogue *c, const struct form *form,
			   const struct operands *o, struct fake_op *op)
{
	uint16_t any = op->core->eliminated ? 0 : (uint16_t)op->core->latency;

	for (size_t d = 0; d < op->n_dst; d++) {
		for (size_t s = 0; s < op->n_src; s++) {
			const struct core_latency *l = find_pair(
				c, op->core, form, o->src[s], o->dst[d]);

			op->latency[s][d] = l ? (uint16_t)l->cycles : any;
			op->listed[s] |= (uint32_t)(l != NULL) << d;
		}
	}
	fake_settle_latencies(op);
}

/* Are all explicitly read registers the same one, and at least two? */
static bool one_source(const struct catalogue *c, const struct instance *i)
{
	const struct reg *only = NULL;
	size_t n = 0;

	for (int k = 0; k < i->form->n_explicit; k++) {
		const struct reg *r = operand_reg(c, i, k);

		if (!r || !i->form->operands[k].read)
			continue;
		if (only && (only->bank != r->bank || only->index != r->index))
			return false;
		only = r;
		n++;
	}
	return n > 1;
}

/* Branches that end loops.  They cost nothing unless they are measured. */
static bool is_transfer(const struct form *form)
{
	return form->status == FORM_CONTROL_FLOW ||
	       (form->flags & MC_CONTROL_FLOW) ||
	       form_family(form) == FAMILY_BRANCH;
}

/* Does a branch follow the measured instruction? */
static bool measures_fused(const struct fake_place *place)
{
	return !place->ends_loop && place->experiment.n_steps > 0 &&
	       form_family(place->experiment.steps[0].form) == FAMILY_FUSED;
}

/* Is it taken whatever registers and flags contain? */
static bool is_always_taken(const struct instance *i)
{
	for (int k = 0; k < i->form->n_operands; k++)
		if (i->form->operands[k].read &&
		    i->form->operands[k].kind == OPERAND_REG)
			return false;
	return true;
}

/* A branch of whole code: one that goes back ends an iteration; of those that go
 * on, those that are always taken are followed. */
static void follow(const struct catalogue *c, const struct instance *i,
		   bool follows, struct fake_op *op)
{
	const struct isa_loop *loop = c->isa->loop;
	int64_t offset;

	if (!loop || !loop->jump || !loop->jump(c, i, op->n_bytes, &offset))
		return;
	op->taken = offset < 0 || is_always_taken(i);
	if (follows && op->taken && offset > (int64_t)op->n_bytes &&
	    offset < MAX_JUMP)
		op->n_next = (size_t)offset;
}

/* Bytes from the start of an instruction to the one that runs next.  A
 * measured branch is taken, or leads to the next instruction anyway. */
static size_t bytes_to_next(const struct catalogue *c, const struct instance *i,
			    size_t n)
{
	const struct isa_loop *loop = c->isa->loop;
	struct instance plain = *i;
	int64_t offset;

	plain.form = &c->forms[c->by_opcode[i->form->opcode]];
	return loop && loop->jump && loop->jump(c, &plain, n, &offset) &&
			       offset > (int64_t)n && offset < MAX_JUMP
		       ? (size_t)offset
		       : n;
}

/* Does it read a register that it also writes? */
static bool reads_its_result(const struct fake_op *op)
{
	for (size_t d = 0; d < op->n_dst; d++)
		for (size_t s = 0; s < op->n_src; s++)
			if (op->dst[d].slot == op->src[s].slot &&
			    op->dst[d].slot < FAKE_REG_SLOTS)
				return true;
	return false;
}

/* Is the form this step of a carrier, of two or three? */
static bool is_carrier(const struct catalogue *c, const struct form *f,
		       size_t step)
{
	const struct isa_carrier *k = c->isa->carriers;

	for (; k && k->bank != BANK_NONE; k++) {
		const char *at = strchr(k->steps, '+') ? k->steps : NULL;
		size_t n;

		for (size_t i = 0; at && i < step; i++) {
			at = strchr(at, '+');
			at = at ? at + 1 : NULL;
		}
		n = at ? strcspn(at, "@") : 0;
		if (at && strlen(f->name) == n && strncmp(f->name, at, n) == 0)
			return true;
	}
	return false;
}

/* Set how the cost of the op depends on registers and their values. */
static void add_costs(const struct catalogue *c, const struct instance *i,
		      struct fake_op *op)
{
	const struct core_form *f = op->core;

	op->clears = is_carrier(c, i->form, 0);
	op->adds = is_carrier(c, i->form, 1);
	op->multiplies = is_carrier(c, i->form, 2);
	op->fuse = (uint8_t)fake_fuse_of(i->form);
	for (int k = 0; f->unlinked > 0 && k < i->form->n_explicit; k++) {
		uint16_t r = i->form->operands[k].fixed_reg;

		if (r != REG_NONE && r < c->n_regs)
			op->unlinked |= c->regs[r].index != f->link;
	}
	if (f->same_register == 0 || !reads_its_result(op))
		return;
	for (size_t d = 0; d < op->n_dst; d++)
		for (size_t s = 0; s < op->n_src; s++)
			op->latency[s][d] = (uint16_t)(op->latency[s][d] +
						       f->same_register);
	fake_settle_latencies(op);
}

const char *fake_decode_op(struct fake_op_decoder *d,
			   const struct fake_place *place,
			   const unsigned char *code, size_t n,
			   struct fake_op *ret)
{
	struct fake_op op = { .n_src = 0 };
	struct operands o;
	struct instance i;
	bool measured;

	op.n_bytes = fake_find_instance(d, place, code, n, &i);
	if (op.n_bytes == 0 || op.n_bytes > sizeof(op.bytes) || !i.form)
		return "illegal";
	memcpy(op.bytes, code, op.n_bytes);
	op.n_next = op.n_bytes;
	op.moved = place->moved;
	op.moves = fake_stack_move(d->c, i.form);
	measured = fake_is_measured(place, i.form);
	if (measured || (is_transfer(i.form) && measures_fused(place)))
		op.n_next = bytes_to_next(d->c, &i, op.n_bytes);
	if (measured || place->whole || !is_transfer(i.form))
		op.core = line_of(d, &i);
	if (place->whole && is_transfer(i.form))
		follow(d->c, &i, place->follows, &op);
	if (op.core || measured || !(place->ends_loop || is_transfer(i.form))) {
		if (!op.core)
			return "illegal";
		if (op.core->fault)
			return op.core->fault;
		if (!op_collect(d, &i, &op, &o) ||
		    !collect_memory(place, d->c, &i, &op, &o))
			return "illegal";
		fill_latencies(d->c, i.form, &o, &op);
		add_costs(d->c, &i, &op);
		op.jumps = branch_jumps(i.form->name);
		op.no_wait = op.core->zero_idiom && one_source(d->c, &i);
	}
	*ret = op;
	return NULL;
}
