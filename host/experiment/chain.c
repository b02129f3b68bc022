/* What the steps of an experiment mean together: chains, their carriers, and
 * what breaks them; see experiment.h. */
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/isa/carrier.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"

static bool is_flags(const struct catalogue *c, const struct form *form,
		     int operand)
{
	return operand >= 0 &&
	       c->regs[form->operands[operand].fixed_reg].bank == BANK_FLAGS;
}

bool experiment_chains_flags(const struct catalogue *c,
			     const struct experiment *x)
{
	for (size_t i = 0; i < x->n_steps; i++)
		if (!x->steps[i].helper &&
		    (is_flags(c, x->steps[i].form, x->steps[i].src) ||
		     is_flags(c, x->steps[i].form, x->steps[i].dst)))
			return true;
	return false;
}

const struct isa_carrier *experiment_carrier(const struct catalogue *c,
					     const struct experiment *x)
{
	const struct isa_carrier *list = c->isa->carriers;
	char steps[PACK_MAX_LABEL];

	if (!experiment_steps_text(c, x, 1, steps))
		return NULL;
	for (; list && list->bank != BANK_NONE; list++)
		if (strcmp(list->steps, steps) == 0)
			return list;
	return NULL;
}

bool experiment_is_carried(const struct catalogue *c,
			   const struct experiment *x)
{
	return experiment_carrier(c, x) != NULL;
}

bool experiment_is_closed(const struct catalogue *c, const struct experiment *x)
{
	enum { STEPS = 2 };
	const struct isa_memory *m = c->isa->memory;
	size_t n = experiment_measured(x);
	char steps[PACK_MAX_LABEL];

	return m && m->close && n > STEPS &&
	       experiment_steps_text(c, x, n - STEPS, steps) &&
	       strcmp(steps, m->close) == 0;
}

/* The register that the chain goes through because an operand must be it:
 * whatever else the form does with it is part of the chain, or overwritten
 * before the next instance. */
static uint16_t kept_register(const struct catalogue *c,
			      const struct experiment *x)
{
	const struct experiment_step *first = &x->steps[0];
	const struct experiment_step *next =
		&x->steps[experiment_measured(x) > 1];
	uint16_t fixed = REG_NONE;

	if (experiment_is_carried(c, x) || experiment_is_closed(c, x))
		return first->form->operands[first->src].fixed_reg;
	if (!experiment_is_chain(x))
		return REG_NONE;
	if (first->dst >= 0)
		fixed = first->form->operands[first->dst].fixed_reg;
	if (fixed == REG_NONE && next->src >= 0)
		fixed = next->form->operands[next->src].fixed_reg;
	return fixed;
}

size_t experiment_cuts(const struct catalogue *c, const struct experiment *x,
		       uint16_t *regs, size_t room)
{
	uint16_t keep = kept_register(c, x);

	return form_carried(c, x->steps[0].form,
			    keep == REG_NONE ? NULL : &c->regs[keep], regs,
			    room);
}

bool experiment_is_joint(const struct catalogue *c, const struct experiment *x)
{
	const struct experiment_step *s = &x->steps[0];

	return (x->kind == EXPERIMENT_JOINT || x->kind == EXPERIMENT_SHORT) &&
	       s->src >= 0 && s->dst >= 0 &&
	       form_joins(c, s->form, s->src, s->dst);
}

size_t experiment_broken_step(const struct catalogue *c,
			      const struct experiment *x)
{
	bool carried = experiment_is_carried(c, x);

	for (size_t s = 0; s < x->n_steps; s++)
		if (x->steps[s].broken)
			return s;
	if (x->kind != EXPERIMENT_CONTROL ||
	    (!carried && !experiment_is_closed(c, x)))
		return x->n_steps;
	return carried && experiment_is_free_source(&x->steps[0])
		       ? 0
		       : experiment_measured(x) - 1;
}

bool experiment_keeps_place(const struct catalogue *c,
			    const struct experiment *x)
{
	const struct form *f = x->steps[0].form;
	uint16_t carried;

	return x->kind == EXPERIMENT_DEPENDENT &&
	       f->access == (ACCESS_LOAD | ACCESS_STORE) &&
	       form_part(f, ROLE_DISPLACEMENT) >= 0 &&
	       form_carried(c, f, NULL, &carried, 1) == 0;
}

bool experiment_is_brief(const struct catalogue *c, const struct experiment *x)
{
	bool chain =
		x->kind == EXPERIMENT_LATENCY || x->kind == EXPERIMENT_CONTROL;

	return experiment_keeps_place(c, x) ||
	       (chain && x->n_steps == 3 && x->steps[0].dst < 0 &&
		x->steps[1].src < 0 && x->steps[2].src >= 0);
}
