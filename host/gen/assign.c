/* Register assignment; see assign.h.
 *
 * Three kinds of operands:
 *	link	carries the chain from one step to the next
 *	pool	written but not part of the chain: rotates, so that an op
 *		depends on another one only `period` ops back
 *	constant read and never written in the loop
 * Parts of addresses are in address.c.
 */
#include "host/gen/assigner.h"

#include <string.h>

#include "host/gen/unite.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"

/* Implicit registers, and classes with a single member, are taken first. */
static void take_fixed(struct assigner *a)
{
	for (size_t s = 0; s < a->x->n_steps; s++) {
		const struct form *f = a->x->steps[s].form;

		for (int i = 0; i < f->n_operands; i++)
			if (f->operands[i].fixed_reg != REG_NONE)
				assign_take(
					a,
					&a->c->regs[f->operands[i].fixed_reg]);
	}
}

/* The fewest registers that a result rotates through although the form reads
 * it again, 0 if none does. */
static size_t carried_rotation(const struct assigner *a)
{
	size_t least = 0;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		const struct form *f = a->x->steps[s].form;

		if (form_writes_base(f) && a->bases[s].n > 0 &&
		    (least == 0 || a->bases[s].n < least))
			least = a->bases[s].n;
		for (int i = 0; i < f->n_explicit; i++) {
			const struct operand *o = &f->operands[i];
			int root = o->read && o->write ? i : o->tied_to;
			size_t n = root < 0 ? 0 : a->pools[s][root].n;

			if (n > 0 && (least == 0 || n < least))
				least = n;
		}
	}
	return least;
}

/* Lengths are whole periods, and a front end that takes four, six or eight
 * instructions at a time rounds the end of each iteration up.  That cancels
 * between lengths that differ by a multiple of 24 ops, which these periods
 * allow; shorter ones are left alone, for there each register counts. */
static size_t round_period(size_t period)
{
	static const size_t even[] = { 24, 16, 12, 8 };

	for (size_t i = 0; i < ARRAY_LEN(even); i++)
		if (period >= even[i])
			return even[i];
	return period;
}

/* The longest rotation, a multiple of the chain's.  No longer than one that
 * results are carried through: starting that one over in its middle would put
 * two of its ops behind each other. */
static size_t choose_period(const struct assigner *a, size_t max_period)
{
	size_t carried = carried_rotation(a);
	size_t link = 1;
	size_t period = 1;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		if (a->links[s].n > link)
			link = a->links[s].n;
		for (int i = 0; i < FORM_MAX_OPERANDS; i++) {
			if (a->pools[s][i].n > period)
				period = a->pools[s][i].n;
			/* A multiple of what a link alternates between. */
			if (a->varied[s][i].n > link)
				link = a->varied[s][i].n;
		}
	}
	if (period > max_period)
		period = max_period;
	if (period < address_period(a))
		period = address_period(a);
	if (carried > 0 && period > carried)
		period = carried;
	if (period < link)
		return link;
	return round_period(period - period % link);
}

/* Register of a link as the operand's class names it. */
static uint16_t link_reg(const struct assigner *a, size_t s, int i, size_t op)
{
	const struct experiment_step *st = &a->x->steps[s];
	size_t from = i == st->dst ? s : assign_previous(a, s);
	const struct rotation *l = &a->links[a->link_of[from]];
	/* The first step reads what the op before wrote. */
	bool earlier = i != st->dst && from >= s;
	size_t at = earlier ? op + l->n - 1 : op;
	const struct reg *r = &a->c->regs[l->regs[at % l->n]];

	return assign_member_at(a, assign_class_of(a, &st->form->operands[i]),
				r);
}

static uint16_t reg_for(const struct assigner *a, size_t s, int i, size_t op)
{
	const struct form *f = a->x->steps[s].form;
	const struct operand *o = &f->operands[i];

	if (o->kind != OPERAND_REG && o->kind != OPERAND_MEM)
		return REG_NONE;
	if (o->fixed_reg != REG_NONE)
		return o->fixed_reg;
	if (o->tied_to >= 0)
		return reg_for(a, s, o->tied_to, op);
	if (assign_is_link(a, s, i))
		return link_reg(a, s, i, op);
	if (o->kind == OPERAND_MEM)
		return address_reg(a, s, i, op);
	if (o->write)
		return a->pools[s][i].regs[op % a->pools[s][i].n];
	if (a->varied[s][i].n > 0)
		return a->varied[s][i].regs[op % a->varied[s][i].n];
	return a->constants[s][i];
}

/* Ops of one step until its registers repeat. */
static size_t step_period(const struct assigner *a, size_t s)
{
	const struct form *f = a->x->steps[s].form;
	size_t longest = address_period(a), carried = 0;

	for (int i = 0; i < f->n_explicit; i++) {
		int root = f->operands[i].tied_to;
		size_t n = a->pools[s][root >= 0 ? root : i].n;

		if (n > longest)
			longest = n;
		if (root >= 0 && n > 0 && (carried == 0 || n < carried))
			carried = n;
	}
	if (form_writes_base(f) && a->bases[s].n > 0 &&
	    (carried == 0 || a->bases[s].n < carried))
		carried = a->bases[s].n;
	longest = carried > 0 ? carried : longest;
	return longest > ASSIGN_MAX_PERIOD ? ASSIGN_MAX_PERIOD : longest;
}

/* ERR_INPUT where a link has no name in an operand's class. */
static int instantiate(const struct assigner *a, struct assigned *ret)
{
	for (size_t op = 0; op < ret->period; op++)
		for (size_t s = 0; s < a->x->n_steps; s++) {
			struct instance *in = &ret->instances[op][s];

			in->form = a->x->steps[s].form;
			for (int i = 0; i < in->form->n_explicit; i++) {
				in->reg[i] = reg_for(a, s, i, op);
				in->imm[i] = address_imm(a, s, i, op);
				if (in->reg[i] == REG_NONE &&
				    assign_is_link(a, s, i))
					return assign_no_register(a, s, i);
			}
		}
	return ERR_OK;
}

static bool waits(const struct form *f)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to >= 0)
			return true;
	return false;
}

/* Do all instances write the same register?  A core in program order, which
 * renames nothing, may write it only once in a cycle, or wait for it. */
static bool writes_one(const struct assigner *a)
{
	const struct form *f = a->x->steps[0].form;

	if (!a->c->isa->in_order || a->x->kind == EXPERIMENT_MIX)
		return false;
	for (int i = 0; i < f->n_explicit; i++)
		if (a->pools[0][i].n == 1 && !assign_is_link(a, 0, i))
			return true;
	return false;
}

/* The second step of such a kind is not part of the chain; it is assigned like
 * a helper. */
static const struct experiment *writer_as_helper(const struct experiment *x,
						 struct experiment *room)
{
	if (!experiment_kind_is(x->kind, EXPERIMENT_WRITER))
		return x;
	*room = *x;
	room->steps[1].helper = true;
	return room;
}

/* It is executed once in an iteration. */
static void take_writer(struct assigned *a)
{
	a->has_writer = true;
	a->writer = a->instances[0][1];
	a->n_steps = 1;
}

int assign_registers(const struct catalogue *c, const struct experiment *x,
		     size_t max_period, struct assigned *ret, struct err *e)
{
	struct experiment room;
	struct assigner a = { .c = c, .x = writer_as_helper(x, &room), .e = e };
	int err;

	a.broken_step = experiment_broken_step(c, x);
	a.broken = a.broken_step < x->n_steps;
	a.chained = experiment_is_chain(x) || a.broken;
	if (max_period > ASSIGN_MAX_PERIOD)
		max_period = ASSIGN_MAX_PERIOD;
	take_fixed(&a);
	err = address_reserve(&a);
	if (err == ERR_OK)
		err = assign_counter(&a, &ret->flagless);
	if (err == ERR_OK)
		err = assign_links(&a);
	if (err == ERR_OK)
		err = assign_constants(&a);
	if (err == ERR_OK)
		err = address_choose(&a);
	if (err == ERR_OK)
		err = assign_pools(&a, max_period);
	if (err == ERR_OK && experiment_kind_is(x->kind, EXPERIMENT_WRITER))
		err = assign_written(&a);
	if (err != ERR_OK)
		return err;
	ret->n_steps = x->n_steps;
	for (size_t s = 0; s < x->n_steps; s++) {
		ret->helper[s] = x->steps[s].helper;
		ret->together[s] = experiment_together(x, s);
		ret->waits[s] =
			waits(x->steps[s].form) || unite_merges(c, x, s);
	}
	ret->period = choose_period(&a, max_period);
	ret->chains = carried_rotation(&a);
	if (ret->chains == 0)
		ret->chains = address_chains(&a);
	if (ret->chains == 0)
		ret->chains = assign_turns(&a);
	if (ret->chains == 0 && writes_one(&a))
		ret->chains = 1;
	if (ret->chains > ret->period)
		ret->chains = ret->period;
	if (x->kind == EXPERIMENT_MIX)
		ret->period = 1;
	for (size_t s = 0; x->kind == EXPERIMENT_MIX && s < x->n_steps; s++) {
		ret->periods[s] = step_period(&a, s);
		if (ret->periods[s] > ret->period)
			ret->period = ret->periods[s];
	}
	if (instantiate(&a, ret) != ERR_OK)
		return e->code;
	address_describe(&a, ret);
	ret->has_writer = false;
	if (experiment_kind_is(x->kind, EXPERIMENT_WRITER))
		take_writer(ret);
	ret->barrier = x->kind == EXPERIMENT_SHORT;
	ret->cut_ops = 0;
	return experiment_is_cut(x) ? assign_cut(&a, ret) : ERR_OK;
}
