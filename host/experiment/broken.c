/* Chains that are broken at a step, with a written source, or through one place in memory; see
 * experiment.h. */
#include "host/experiment/experiment.h"

bool experiment_is_free_source(const struct experiment_step *s)
{
	const struct operand *o =
		s->src < 0 ? NULL : &s->form->operands[s->src];

	return o && !o->implicit && o->fixed_reg == REG_NONE &&
	       o->tied_to < 0 && !o->write;
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

bool experiment_marks_fit(const struct experiment *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n_steps; i++) {
		const struct experiment_step *s = &x->steps[i];
		bool register_only =
			s->src >= 0 &&
			s->form->operands[s->src].role == ROLE_NONE;

		n += s->broken;
		if (s->broken &&
		    ((s->src < 0 && s->dst < 0) ||
		     (register_only && !experiment_is_free_source(s))))
			return false;
	}
	return n == 0 || (n == 1 && x->kind == EXPERIMENT_CONTROL);
}

/* An explicit register of any choice? */
static bool is_free_register(const struct form *f, int operand)
{
	const struct operand *o = operand < 0 ? NULL : &f->operands[operand];

	return o && !o->implicit && o->kind == OPERAND_REG &&
	       o->fixed_reg == REG_NONE && o->reg_class != CLASS_NONE;
}

bool experiment_has_writer(const struct experiment *x)
{
	if (x->kind != EXPERIMENT_WRITTEN)
		return true;
	if (x->n_steps != 2)
		return false;
	for (size_t i = 0; i < x->n_steps; i++) {
		const struct experiment_step *s = &x->steps[i];

		if (s->helper || s->broken || s->count != 1 ||
		    !is_free_register(s->form, s->src) ||
		    !is_free_register(s->form, s->dst))
			return false;
	}
	return true;
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
