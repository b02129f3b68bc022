/* See unite.h. */
#include "host/gen/unite.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"

static bool is_state(const struct catalogue *c, const struct operand *o)
{
	return o->fixed_reg != REG_NONE &&
	       c->regs[o->fixed_reg].bank == BANK_STATE;
}

/* Does one form set what the other depends on, a vector type or a length? */
static bool steers(const struct catalogue *c, const struct form *a,
		   const struct form *b)
{
	for (int i = 0; i < a->n_operands; i++)
		for (int k = 0; k < b->n_operands; k++)
			if (a->operands[i].write && b->operands[k].read &&
			    is_state(c, &a->operands[i]) &&
			    a->operands[i].fixed_reg ==
				    b->operands[k].fixed_reg)
				return true;
	return false;
}

const char *unite_clash(const struct catalogue *c, const struct form *a,
			const struct form *b)
{
	if (a == b)
		return NULL;
	if (steers(c, a, b) || steers(c, b, a))
		return "a control register that one writes and one reads";
	return c->isa->clash ? c->isa->clash(c, a, b) : NULL;
}

int unite_check(const struct catalogue *c, const struct experiment *x,
		struct err *e)
{
	for (size_t s = 0; x->kind == EXPERIMENT_MIX && s < x->n_steps; s++)
		for (size_t t = 0; t < s; t++) {
			const struct form *a = x->steps[t].form;
			const struct form *b = x->steps[s].form;
			const char *why = unite_clash(c, a, b);

			if (why)
				return err_set(e, ERR_INPUT,
					       "%s cannot be mixed with %s: %s",
					       b->name, a->name, why);
		}
	return ERR_OK;
}

bool unite_is_widest(const struct catalogue *c, const struct form *f)
{
	enum { LEAST = 256 };

	/* Places of the x87 are a line apart, but its accesses are narrow. */
	return form_bits(c, f) > LEAST || f->data_bytes * 8 > LEAST ||
	       (f->vector_state && form_family(f) != FAMILY_X87 &&
		f->access_bytes * 8 > LEAST);
}

bool unite_merges(const struct catalogue *c, const struct experiment *x,
		  size_t step)
{
	bool wide = false;

	if (x->kind != EXPERIMENT_MIX || !c->isa->keeps_above ||
	    !c->isa->keeps_above(c, x->steps[step].form))
		return false;
	for (size_t s = 0; s < x->n_steps; s++)
		wide |= form_is_wide(c, x->steps[s].form);
	return wide;
}

const struct form *unite_domain(const struct experiment *x)
{
	for (size_t s = 0; x->kind == EXPERIMENT_MIX && s < x->n_steps; s++)
		if (!x->steps[s].helper &&
		    x->steps[s].form->domain != DOMAIN_INT)
			return x->steps[s].form;
	return x->steps[0].form;
}
