/* Short chains and forwarding; see forward.h. */
#include "host/plan/forward.h"

#include <stdio.h>

#include "host/isa/isa.h"
#include "host/isa/variant.h"
#include "host/plan/pairs.h"

static const struct reg_class *class_at(const struct catalogue *c,
					const struct form *f, int operand)
{
	const struct operand *o = &f->operands[operand];

	if (o->kind != OPERAND_REG || o->implicit || o->reg_class == CLASS_NONE)
		return NULL;
	return &c->classes[o->reg_class];
}

static bool has_mask(const struct catalogue *c, const struct form *f)
{
	for (int i = 0; i < f->n_explicit; i++) {
		const struct reg_class *cls = class_at(c, f, i);

		if (cls && cls->bank == BANK_MASK)
			return true;
	}
	return f->variant && f->variant->masked;
}

static bool is_vector(const struct catalogue *c, const struct form *f,
		      int operand)
{
	const struct reg_class *cls = class_at(c, f, operand);

	return cls && cls->bank == BANK_VECTOR;
}

bool forward_short(const struct catalogue *c, const struct form *form,
		   struct experiment *ret)
{
	struct pair pair;

	if (form->access || !form->vector_state || form->n_explicit == 0 ||
	    !is_vector(c, form, 0) || !form->operands[0].write)
		return false;
	for (int src = form->n_explicit - 1; src > 0; src--) {
		if (!is_vector(c, form, src) || !form->operands[src].read ||
		    (has_mask(c, form) && !form_joins(c, form, src, 0)) ||
		    pair_check(c, form, src, 0, &pair) != PAIR_OK ||
		    pair.n_cuts > 0)
			continue;
		*ret = experiment_of(EXPERIMENT_SHORT, form, src, 0);
		return true;
	}
	return false;
}

size_t forward_forms(const struct catalogue *c, const char *const *at,
		     struct experiment ret[FORWARD_MAX_FORMS], size_t n)
{
	for (; at && *at && n < FORWARD_MAX_FORMS; at++) {
		struct err ignored = { .code = ERR_OK };
		char label[PACK_MAX_LABEL];

		(void)snprintf(label, sizeof(label), "forward:%s", *at);
		/* A CPU may lack some of them. */
		if (experiment_parse(c, label, &ret[n], &ignored) == ERR_OK &&
		    ret[n].steps[0].form->status == FORM_MEASURABLE)
			n++;
	}
	return n;
}

static const struct reg_class *result_class(const struct catalogue *c,
					    const struct experiment *x)
{
	return class_at(c, x->steps[0].form, x->steps[0].dst);
}

bool forward_same_registers(const struct catalogue *c,
			    const struct experiment *x,
			    const struct experiment *y)
{
	const struct reg_class *a = result_class(c, x);
	const struct reg_class *b = result_class(c, y);

	return a && b && a->bank == b->bank && a->bits == b->bits;
}

static enum form_domain domain_of(const struct experiment *x)
{
	return (enum form_domain)x->steps[0].form->domain;
}

/* Would one form read the result of the other as another type of number? Chains
 * of these drift to denormal numbers, or to quotients of another cost. */
static bool misreads(const struct experiment *a, const struct experiment *b)
{
	return domain_of(a) != domain_of(b) && domain_of(a) != DOMAIN_INT &&
	       domain_of(b) != DOMAIN_INT;
}

static bool is_same_chain(const struct experiment_step *a,
			  const struct experiment_step *b)
{
	return a->form == b->form && a->src == b->src && a->dst == b->dst;
}

bool forward_pair(const struct catalogue *c, const struct experiment *a,
		  const struct experiment *b, struct experiment *ret)
{
	if (is_same_chain(&a->steps[0], &b->steps[0]) ||
	    !forward_same_registers(c, a, b) || misreads(a, b))
		return false;
	*ret = *a;
	ret->steps[ret->n_steps++] = b->steps[0];
	return true;
}
