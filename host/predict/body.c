/* What passes and bounds ask of the instructions of a loop; see body.h. */
#include "host/predict/body.h"

#include <math.h>

#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"

/* ---- operands ---------------------------------------------------------- */

const struct operand *op_operand(const struct op *o, const struct reg_span *x)
{
	const struct form *f = op_form(o);

	return f && x->operand < f->n_operands ? &f->operands[x->operand]
					       : NULL;
}

static const char *const bank_names[] = {
	[BANK_NONE] = "a register",
	[BANK_GPR] = "a general register",
	[BANK_VECTOR] = "a vector register",
	[BANK_FP] = "a floating-point register",
	[BANK_MASK] = "a mask register",
	[BANK_FLAGS] = "the flags",
	[BANK_X87] = "the x87 stack",
	[BANK_MATRIX] = "a tile",
	[BANK_STATE] = "a control register",
};

const char *op_read_name(const struct body *b, const struct op *o,
			 uint32_t read)
{
	const struct reg_span *x = &o->reads[read];
	const struct operand *p;
	uint16_t number = REG_NONE;

	if (read == op_memory_read(o))
		return "memory";
	p = op_operand(o, x);
	if (p)
		number = p->implicit ? p->fixed_reg
				     : o->insn->instance.reg[x->operand];
	return number != REG_NONE ? b->program->c->regs[number].name
				  : bank_names[x->unit / BODY_BANK_UNITS];
}

/* ---- kinds of instructions --------------------------------------------- */

bool op_one_source(const struct instance *i)
{
	uint16_t reg = REG_NONE;
	unsigned n = 0;

	for (unsigned k = 0; k < i->form->n_explicit; k++) {
		const struct operand *p = &i->form->operands[k];

		if (!p->read || p->kind != OPERAND_REG || i->reg[k] == REG_NONE)
			continue;
		if (n > 0 && i->reg[k] != reg)
			return false;
		reg = i->reg[k];
		n++;
	}
	return n > 1;
}

bool op_is_zero_idiom(const struct body *b, const struct op *o)
{
	const char *const *at = b->program->c->isa->loop->zero_idioms;
	const struct form *f = o->insn->instance.form;

	if (!op_one_source(&o->insn->instance))
		return false;
	if (o->form && o->form->zero_idiom)
		return true;
	for (; at && *at; at++)
		if (name_matches(*at, f->name))
			return true;
	return false;
}

bool op_has_index(const struct op *o)
{
	const struct form *f = o->insn->instance.form;
	int at = f ? form_part(f, ROLE_OPTIONAL_INDEX) : -1;

	return at >= 0 && o->insn->instance.reg[at] != REG_NONE;
}

bool op_is_plain_access(const struct op *o)
{
	if (o->load == o->store)
		return false;
	for (size_t i = 0; o->load && i < o->n_reads; i++)
		if (!o->reads[i].address)
			return false;
	return o->load || o->n_writes == 0;
}

bool op_waits_with_vectors(const struct op *o)
{
	const struct form *f = o->insn->instance.form;

	return f && f->vector_state && !o->eliminated && !o->is_zero_idiom &&
	       (o->store || !op_is_plain_access(o));
}

bool op_writes_vectors(const struct op *o)
{
	for (size_t w = 0; w < o->n_writes; w++) {
		unsigned bank = o->writes[w].unit / BODY_BANK_UNITS;

		if (bank == BANK_VECTOR || bank == BANK_FP)
			return true;
	}
	return false;
}

/* ---- costs ------------------------------------------------------------- */

void op_remove_ports(const struct body *b, struct op *o, model_ports ports)
{
	struct model_use *uses =
		arena_copy(b->a, o->uses, o->n_uses * sizeof(*uses));

	for (size_t u = 0; u < o->n_uses; u++)
		if ((uses[u].ports & ~ports) != 0)
			uses[u].ports &= ~ports;
	o->uses = uses;
}

bool op_has_llvm_ports(const struct body *b, const struct op *o)
{
	const struct completion *k = b->completion;

	return o->form &&
	       (o->origin[COST_PORTS].origin == ORIGIN_TABLES
			? completed_tables(k) && completed_tables(k)->llvm
			: completed_model(k)->llvm);
}

void op_assume(struct op *o, const char *what)
{
	if (!o->assumed)
		o->assumed = what;
}

double op_compute_cycles(const struct op *o)
{
	double most = -1;

	for (size_t r = 0; r < o->n_reads; r++)
		if (!o->reads[r].address)
			most = fmax(most, op_latency(o, r, 0));
	if (most < 0 && o->load && o->store && o->costs)
		most = completed_compute(o->costs);
	return fmax(most, 0);
}
