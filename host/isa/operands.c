/* Operands of a form: LLVM's explicit operands in MCInst order, then the
 * implicit ones, one for each register, with reads and writes merged. */
#include "host/isa/build.h"

#include <string.h>

static uint16_t only_member(const struct build *b, uint16_t reg_class)
{
	const struct reg_class *k;

	if (reg_class == CLASS_NONE)
		return REG_NONE;
	k = &b->c->classes[reg_class];
	return k->n_regs == 1 ? k->regs[0] : REG_NONE;
}

static void describe(const struct build *b, const struct form *f,
		     unsigned index, unsigned n_defs, struct operand *o)
{
	static const uint8_t kinds[] = {
		[MC_OPERAND_REG] = OPERAND_REG,
		[MC_OPERAND_IMM] = OPERAND_IMM,
		[MC_OPERAND_MEM] = OPERAND_MEM,
		[MC_OPERAND_PCREL] = OPERAND_LABEL,
	};
	struct mc_operand m;

	mc_get_operand(b->mc, f->opcode, index, &m);
	*o = (struct operand){
		.kind = kinds[m.kind],
		.tied_to = (int8_t)m.tied_to,
		.apart = m.apart,
		.reg_class =
			m.reg_class < 0 ? CLASS_NONE : (uint16_t)m.reg_class,
		/* An empty range: not known yet. */
		.imm_min = 1,
		.imm_max = 0,
	};
	if (o->kind == OPERAND_REG) {
		o->write = index < n_defs;
		o->read = !o->write;
		o->fixed_reg = only_member(b, o->reg_class);
	} else if (o->kind == OPERAND_MEM) {
		if (m.pointer)
			o->reg_class = b->pointer_class;
		o->read = o->reg_class != CLASS_NONE;
	}
}

static bool clash(const struct reg *a, const struct reg *b)
{
	return a->bank == b->bank && a->index < b->index + b->span &&
	       b->index < a->index + a->span;
}

/* Add a register to the implicit operands or to one that overlaps it: AL, AH
 * and AX are one dependency. */
static bool add_implicit(const struct build *b, struct form *f,
			 struct operand *ops, uint16_t reg, bool write)
{
	const struct reg *r = &b->c->regs[reg];
	struct operand *o = NULL;

	if (r->bank == BANK_NONE)
		return true;
	for (int i = f->n_explicit; i < f->n_operands; i++)
		if (clash(&b->c->regs[ops[i].fixed_reg], r))
			o = &ops[i];
	if (!o) {
		if (f->n_operands == FORM_MAX_OPERANDS)
			return false;
		o = &ops[f->n_operands++];
		*o = (struct operand){
			.kind = OPERAND_REG,
			.implicit = true,
			.tied_to = -1,
			.reg_class = CLASS_NONE,
			.fixed_reg = reg,
		};
	}
	o->write = o->write || write;
	o->read = o->read || !write;
	return true;
}

bool build_operands(struct build *b, struct form *f, struct operand *ops)
{
	struct mc_opcode m;
	bool fits = true;

	mc_get_opcode(b->mc, f->opcode, &m);
	if (m.n_operands > FORM_MAX_OPERANDS)
		return false;
	for (unsigned i = 0; i < m.n_operands; i++)
		describe(b, f, i, m.n_defs, &ops[i]);
	f->n_explicit = f->n_operands = (uint8_t)m.n_operands;
	for (size_t i = 0; i < m.n_uses; i++)
		fits = add_implicit(b, f, ops, m.uses[i], false) && fits;
	for (size_t i = 0; i < m.n_implicit_defs; i++)
		fits = add_implicit(b, f, ops, m.defs[i], true) && fits;
	return fits;
}

/* Does register r clash with an implicit operand, a class of one register,
 * or the first n operands of the example? */
static bool taken(const struct catalogue *c, const struct instance *x,
		  unsigned n, const struct reg *r)
{
	const struct form *f = x->form;

	for (unsigned i = 0; i < f->n_operands; i++) {
		uint16_t other = f->operands[i].fixed_reg;

		if (other == REG_NONE && i < n)
			other = x->reg[i];
		if (other != REG_NONE && clash(&c->regs[other], r))
			return true;
	}
	return false;
}

/* A free member of the class, else any: forms may have more operands than there
 * are registers. */
static uint16_t pick(const struct catalogue *c, const struct instance *x,
		     unsigned operand, size_t turn)
{
	const struct operand *o = &x->form->operands[operand];
	const struct reg_class *k = &c->classes[o->reg_class];

	for (size_t i = 0; i < k->n_regs; i++) {
		uint16_t r = k->regs[(i + turn) % k->n_regs];

		if (!taken(c, x, operand, &c->regs[r]))
			return r;
	}
	return k->regs[turn % k->n_regs];
}

bool form_example(const struct catalogue *c, const struct form *f, size_t turn,
		  struct instance *ret)
{
	*ret = (struct instance){ .form = f };
	for (unsigned i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		ret->imm[i] = o->imm;
		if (o->reg_class == CLASS_NONE || o->kind == OPERAND_OTHER ||
		    o->role == ROLE_OPTIONAL_INDEX)
			continue;
		if (o->fixed_reg != REG_NONE) {
			ret->reg[i] = o->fixed_reg;
		} else if (o->tied_to >= 0) {
			ret->reg[i] = ret->reg[o->tied_to];
		} else if (c->classes[o->reg_class].n_regs > 0) {
			ret->reg[i] = pick(c, ret, i, turn);
		} else if (o->kind == OPERAND_REG) {
			return false;
		}
	}
	return true;
}
