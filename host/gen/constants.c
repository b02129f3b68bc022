/* Operands that are read and never written in the loop. */
#include "host/gen/assigner.h"
#include "host/gen/initial.h"
#include "host/isa/carrier.h"
#include "host/isa/isa.h"

static bool wants_constant(const struct assigner *a, size_t s, int i)
{
	const struct operand *o = &a->x->steps[s].form->operands[i];

	return o->kind == OPERAND_REG && o->read && !o->write &&
	       o->tied_to < 0 && o->fixed_reg == REG_NONE &&
	       !assign_is_link(a, s, i);
}

/* Does the form read the old value of a result? */
static bool accumulates(const struct form *f)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to >= 0)
			return true;
	return false;
}

/* The constant of an earlier operand, if a class has few registers: each
 * register saved gives one more independent result. */
static uint16_t shared_constant(const struct assigner *a, size_t s, int i)
{
	const struct form *f = a->x->steps[s].form;
	uint16_t cls = f->operands[i].reg_class;

	if (a->c->classes[cls].n_regs > ASSIGN_FEW_REGS || !accumulates(f))
		return REG_NONE;
	for (int k = 0; k < i; k++)
		if (f->operands[k].reg_class == cls &&
		    a->constants[s][k] != REG_NONE)
			return a->constants[s][k];
	return REG_NONE;
}

/* In a mix, later forms reuse the constants of earlier forms, a different
 * register for each operand of a form. */
static uint16_t mixed_constant(const struct assigner *a, size_t s, int i)
{
	uint16_t cls = a->x->steps[s].form->operands[i].reg_class;

	if (a->x->kind != EXPERIMENT_MIX)
		return REG_NONE;
	for (size_t t = 0; t < s; t++)
		for (int k = 0; k < a->x->steps[t].form->n_explicit; k++) {
			uint16_t reg = a->constants[t][k];
			bool mine = false;

			if (reg == REG_NONE ||
			    a->x->steps[t].form->operands[k].reg_class != cls ||
			    !initial_same(a->c, a->x->steps[t].form, k,
					  a->x->steps[s].form, i))
				continue;
			for (int j = 0; j < i; j++)
				mine |= a->constants[s][j] == reg;
			if (!mine)
				return reg;
		}
	return REG_NONE;
}

/* A repeated step reads the same constants. */
static uint16_t repeated_constant(const struct assigner *a, size_t s, int i)
{
	const struct experiment_step *step = &a->x->steps[s];
	const struct experiment_step *before = s > 0 ? step - 1 : NULL;

	if (!before || (a->x->kind != EXPERIMENT_LATENCY && !a->broken) ||
	    before->form != step->form || before->src != step->src ||
	    before->dst != step->dst || before->helper || step->helper)
		return REG_NONE;
	return a->constants[s - 1][i];
}

bool assign_is_varied(const struct catalogue *c, const struct experiment *x,
		      size_t s, int i)
{
	const struct experiment_step *first = &x->steps[0],
				     *step = &x->steps[s];
	const struct isa_carrier *carrier;
	uint64_t ignored = 0;
	size_t adds;

	if (!c->isa->vary || step->helper || x->kind == EXPERIMENT_MIX ||
	    experiment_is_cut(x))
		return false;
	if (s == 0)
		return c->isa->vary(first->form, i, 0, &ignored);
	/* The value that a carrier gives the source of the first step. */
	carrier = experiment_carrier(c, x);
	if (!carrier || step->form->operands[i].write ||
	    !c->isa->vary(first->form, first->src, 0, &ignored))
		return false;
	adds = experiment_measured(x) - 1 - (carrier->factor > 0);
	return i != step->src
		       ? s == adds
		       : s == adds + 1 && s == experiment_broken_step(c, x);
}

static int choose_constant(struct assigner *a, size_t s, int i)
{
	const struct operand *o = &a->x->steps[s].form->operands[i];

	a->constants[s][i] = shared_constant(a, s, i);
	if (a->constants[s][i] == REG_NONE)
		a->constants[s][i] = mixed_constant(a, s, i);
	if (a->constants[s][i] == REG_NONE)
		a->constants[s][i] = repeated_constant(a, s, i);
	if (a->constants[s][i] == REG_NONE)
		a->constants[s][i] = assign_pick(a, o->reg_class);
	return a->constants[s][i] == REG_NONE ? assign_no_register(a, s, i)
					      : ERR_OK;
}

/* Registers of values that must differ between neighbours. */
static int vary_constant(struct assigner *a, size_t s, int i)
{
	struct rotation *all = &a->varied[s][i];

	if (!assign_is_varied(a->c, a->x, s, i))
		return ERR_OK;
	all->regs[all->n++] = a->constants[s][i];
	while (all->n < ISA_VARIED) {
		uint16_t reg = assign_pick(
			a, a->x->steps[s].form->operands[i].reg_class);

		if (reg == REG_NONE)
			return assign_no_register(a, s, i);
		all->regs[all->n++] = reg;
	}
	return ERR_OK;
}

int assign_constants(struct assigner *a)
{
	int ret = ERR_OK;

	for (size_t s = 0; s < a->x->n_steps; s++)
		for (int i = 0; i < a->x->steps[s].form->n_explicit; i++)
			if (ret == ERR_OK && wants_constant(a, s, i))
				ret = choose_constant(a, s, i);
	for (size_t s = 0; s < a->x->n_steps; s++)
		for (int i = 0; i < a->x->steps[s].form->n_explicit; i++)
			if (ret == ERR_OK && wants_constant(a, s, i))
				ret = vary_constant(a, s, i);
	return ret;
}

/* A constant source of the first step, in a register that the chain's source can
 * be; REG_NONE: none. */
static uint16_t second_source(const struct assigner *a)
{
	const struct experiment_step *s = &a->x->steps[0];
	const struct reg_class *cls =
		assign_class_of(a, &s->form->operands[s->src]);

	for (int i = 0; i < s->form->n_explicit; i++) {
		const struct operand *o = &s->form->operands[i];
		uint16_t reg = a->constants[0][i];

		if (i != s->src && o->kind == OPERAND_REG && o->read &&
		    reg != REG_NONE && !assign_is_link(a, 0, i) &&
		    assign_member_at(a, cls, &a->c->regs[reg]) == reg)
			return reg;
	}
	return REG_NONE;
}

static int no_second_source(const struct assigner *a)
{
	return err_set(a->e, ERR_INPUT, "%s: the form has no second source",
		       a->x->steps[0].form->name);
}

int assign_cut(const struct assigner *a, struct assigned *ret)
{
	const struct experiment_step *s = &a->x->steps[0];
	uint16_t reg = second_source(a);

	if (reg == REG_NONE)
		return no_second_source(a);
	ret->cut_ops = experiment_kind_is(a->x->kind, EXPERIMENT_CUT)
			       ? EXPERIMENT_QUEUE_OPS
			       : EXPERIMENT_WINDOW_GROUPS * s->count;
	ret->cut_operand = (uint8_t)s->src;
	ret->cut_reg = reg;
	return ERR_OK;
}

int assign_written(struct assigner *a)
{
	const struct experiment_step *s = &a->x->steps[1];
	struct rotation *result = &a->pools[1][s->dst];
	uint16_t reg = second_source(a);

	if (reg == REG_NONE)
		return no_second_source(a);
	reg = assign_member_at(a,
			       assign_class_of(a, &s->form->operands[s->dst]),
			       &a->c->regs[reg]);
	if (reg == REG_NONE)
		return assign_no_register(a, 1, s->dst);
	result->regs[0] = reg;
	result->n = 1;
	return ERR_OK;
}
