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

/* Append the forms of a list to the n that are there; returns the new
 * number. */
static size_t add_forms(const struct catalogue *c, const char *const *at,
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

size_t forward_forms(const struct catalogue *c,
		     struct experiment ret[FORWARD_MAX_FORMS])
{
	return add_forms(c, c->isa->forwarding, ret, 0);
}

size_t forward_written_forms(const struct catalogue *c,
			     struct experiment ret[FORWARD_MAX_FORMS])
{
	return add_forms(c, c->isa->written, ret, 0);
}

static const struct reg_class *result_class(const struct catalogue *c,
					    const struct experiment *x)
{
	return class_at(c, x->steps[0].form, x->steps[0].dst);
}

static bool same_registers(const struct reg_class *a, const struct reg_class *b)
{
	return a && b && a->bank == b->bank && a->bits == b->bits;
}

bool forward_other(const struct catalogue *c, const struct form *form,
		   const struct experiment *forms, size_t n,
		   struct experiment *ret)
{
	if (form->domain != DOMAIN_FP32 && form->domain != DOMAIN_FP64)
		return false;
	for (size_t i = 0; i < n; i++)
		if (forms[i].steps[0].form == form)
			return false;
	return forward_short(c, form, ret);
}

static enum form_domain domain_of(const struct experiment *x)
{
	return (enum form_domain)x->steps[0].form->domain;
}

size_t forward_references(const struct catalogue *c,
			  struct experiment ret[FORWARD_MAX_FORMS])
{
	enum { OF_A_KIND = 2 };
	struct experiment all[FORWARD_MAX_FORMS];
	size_t n = forward_forms(c, all), kept = 0;

	n = add_forms(c, c->isa->forwarding_types, all, n);
	for (size_t i = 0; i < n; i++) {
		size_t before = 0;

		for (size_t k = 0; k < kept; k++)
			before += same_registers(result_class(c, &ret[k]),
						 result_class(c, &all[i])) &&
				  domain_of(&ret[k]) == domain_of(&all[i]);
		if (before < OF_A_KIND && domain_of(&all[i]) != DOMAIN_INT)
			ret[kept++] = all[i];
	}
	return kept;
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
	    !same_registers(result_class(c, a), result_class(c, b)) ||
	    misreads(a, b))
		return false;
	*ret = *a;
	ret->kind = EXPERIMENT_FORWARD;
	ret->steps[ret->n_steps++] = b->steps[0];
	return true;
}

/* Does it read another register of the chain's class? */
static bool has_second_source(const struct catalogue *c,
			      const struct experiment_step *s)
{
	for (int i = 0; i < s->form->n_explicit; i++)
		if (i != s->src && s->form->operands[i].read &&
		    s->form->operands[i].tied_to < 0 &&
		    class_at(c, s->form, i) == class_at(c, s->form, s->src))
			return true;
	return false;
}

bool forward_written(const struct catalogue *c, const struct experiment *a,
		     const struct experiment *b, struct experiment *ret)
{
	if (a->steps[0].form == b->steps[0].form ||
	    !has_second_source(c, &a->steps[0]) || !forward_pair(c, a, b, ret))
		return false;
	ret->kind = EXPERIMENT_WRITTEN;
	return true;
}

bool forward_queue(const struct catalogue *c, const struct experiment *forms,
		   size_t at, struct experiment *ret)
{
	for (size_t i = 0; i < at; i++)
		if (same_registers(result_class(c, &forms[i]),
				   result_class(c, &forms[at])))
			return false;
	*ret = forms[at];
	ret->kind = EXPERIMENT_QUEUE;
	return true;
}
