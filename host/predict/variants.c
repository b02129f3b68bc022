/* The variant of its form that an instruction is because of its registers: those of
 * one register for all sources, and those of ah, bh, ch and dh. */
#include "host/predict/body.h"

#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/numbers.h"

/* Does the instruction read at least two explicit registers, all of them the
 * same? */
static bool body_one_source(const struct instance *i)
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

bool body_is_zero_idiom(const struct body *b, const struct op *o)
{
	const char *const *at = b->program->c->isa->loop->zero_idioms;
	const struct form *f = o->insn->instance.form;

	if (!body_one_source(&o->insn->instance))
		return false;
	if (o->form && o->form->zero_idiom)
		return true;
	for (; at && *at; at++)
		if (name_matches(*at, f->name))
			return true;
	return false;
}

/* The costs of a variant of the instruction's form, if it was measured itself;
 * NULL: it was not, or there is none. */
static const struct completed_form *body_variant(const struct body *b,
						 const struct instance *i,
						 const char *suffix)
{
	const struct catalogue *c = b->program->c;
	const char *name = arena_printf(b->a, "%s/%s", i->form->name, suffix);
	const struct form *f = catalogue_form(c, name);
	const struct completed_form *costs =
		f ? completed_form(b->completion, f) : NULL;

	/* A variant that the model lacks has the costs of the plain form. */
	return costs && costs->own && strcmp(costs->own->name, f->name) == 0
		       ? costs
		       : NULL;
}

static bool has_one_register(const struct instance *i)
{
	return body_one_source(i) ||
	       (i->form->n_explicit == 2 &&
		i->form->operands[1].kind == OPERAND_REG &&
		i->reg[0] == i->reg[1]);
}

/* With one register as all sources an instruction may need no port, or may need
 * one that it does not need with several. */
void body_price_one_register(struct body *b, struct op *o)
{
	static const double faster =
		0.95; /* what is eliminated is twice as fast */
	const struct instance *i = &o->insn->instance;
	const struct completed_form *v = i->form && has_one_register(i)
						 ? body_variant(b, i, "same")
						 : NULL;

	if (v && v->costs.has_ports &&
	    v->origin[COST_PORTS].origin == ORIGIN_MODEL) {
		o->n_uses = v->costs.n_uses;
		o->uses = v->costs.uses;
		o->n_access = v->n_access;
	} else if (o->is_zero_idiom && o->form &&
		   (o->form->zero_idiom ||
		    (v && v->costs.throughput.has_value &&
		     v->costs.throughput.high <
			     faster * model_port_bound(o->uses, o->n_uses,
						       NULL)))) {
		o->n_uses = 0;
		o->n_access = 0;
	}
}

const struct completed_form *body_costs(const struct body *b,
					const struct instance *i)
{
	const struct catalogue *c = b->program->c;
	const char *suffix =
		c->isa->loop->suffix ? c->isa->loop->suffix(c, i) : NULL;
	const struct completed_form *v =
		suffix ? body_variant(b, i, suffix) : NULL;

	return v ? v : completed_form(b->completion, numbers_form(c, i));
}
