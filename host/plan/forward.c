/* Short chains and forwarding; see forward.h. */
#include "host/plan/forward.h"

#include <stdio.h>

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
		*ret = (struct experiment){
			.kind = EXPERIMENT_SHORT,
			.n_steps = 1,
			.steps[0] = { .form = form,
				      .src = (int16_t)src,
				      .dst = 0,
				      .count = 1 },
		};
		return true;
	}
	return false;
}

size_t forward_forms(const struct catalogue *c,
		     struct experiment ret[FORWARD_MAX_FORMS])
{
	size_t n = 0;

	for (const char *const *at = c->isa->forwarding;
	     at && *at && n < FORWARD_MAX_FORMS; at++) {
		struct err ignored = { .code = ERR_OK };
		char label[PACK_MAX_LABEL];

		(void)snprintf(label, sizeof(label), "forward:%s", *at);
		/* A CPU's catalogue may lack some. */
		if (experiment_parse(c, label, &ret[n], &ignored) == ERR_OK &&
		    ret[n].steps[0].form->status == FORM_MEASURABLE)
			n++;
	}
	return n;
}

bool forward_pair(const struct catalogue *c, const struct experiment *a,
		  const struct experiment *b, struct experiment *ret)
{
	const struct step *x = &a->steps[0], *y = &b->steps[0];
	const struct reg_class *cx = class_at(c, x->form, x->dst);
	const struct reg_class *cy = class_at(c, y->form, y->dst);

	if (!cx || !cy || cx->bank != cy->bank || cx->bits != cy->bits)
		return false;
	*ret = *a;
	ret->steps[ret->n_steps++] = *y;
	return true;
}
