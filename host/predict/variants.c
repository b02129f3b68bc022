/* Costs that depend on which registers an instruction has: one for all its sources
 * (the variant `same` of its form), or ah, bh, ch or dh (`high`). */
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

/* The costs of a variant of the instruction's form; NULL: the model does not have
 * the variant. */
static const struct completed_form *body_variant(const struct body *b,
						 const struct instance *i,
						 const char *suffix)
{
	const struct catalogue *c = b->program->c;
	const char *name = arena_printf(b->a, "%s/%s", i->form->name, suffix);
	const struct form *f = catalogue_form(c, name);
	const struct completed_form *costs =
		f ? completed_form(b->completion, f) : NULL;

	/* Else they are completed from those of the plain form. */
	return costs && costs->own && strcmp(costs->own->name, f->name) == 0
		       ? costs
		       : NULL;
}

/* All sources of a computation, or both registers of a move. */
static bool has_one_register(const struct instance *i)
{
	return body_one_source(i) ||
	       (i->form->n_explicit == 2 &&
		i->form->operands[1].kind == OPERAND_REG &&
		i->reg[0] == i->reg[1]);
}

/* The costs of the variant `same`; NULL: it has several registers, or the model
 * does not have the variant. */
static const struct completed_form *same_costs(const struct body *b,
					       const struct op *o)
{
	const struct instance *i = &o->insn->instance;

	/* Another variant, as of ah, has its own costs. */
	if (!i->form || o->costs->form != i->form || !has_one_register(i))
		return NULL;
	return body_variant(b, i, "same");
}

/* The variant `same` of a computation whose sources are one register, if the model has
 * its latencies; NULL: else.  Those of an idiom are below half a cycle. */
static const struct completed_form *same_computation(const struct body *b,
						     const struct instance *i)
{
	static const double idiom = 0.5;
	const struct completed_form *v = i->form && body_one_source(i)
						 ? body_variant(b, i, "same")
						 : NULL;

	for (size_t k = 0; v && k < v->own->n_latencies; k++)
		if (v->own->latencies[k].cycles.has_value &&
		    model_cycles(v->own->latencies[k].cycles) >= idiom)
			return v;
	return NULL;
}

const struct model_form *body_same_latencies(const struct body *b,
					     const struct op *o)
{
	const struct instance *i = &o->insn->instance;
	const struct completed_form *v = same_computation(b, i);

	/* Another variant, as of ah, has its own latencies. */
	return v && (o->costs == v || o->costs->form == i->form) ? v->own
								 : NULL;
}

/* Is this variant faster than the ports that its form uses allow? */
static bool is_faster(const struct completed_form *v,
		      const struct model_use *uses, size_t n_uses)
{
	/* Throughputs are measured to 1 %. */
	static const double faster = 0.95;

	return v->costs.throughput.has_value &&
	       v->costs.throughput.high <
		       faster * model_port_bound(uses, n_uses, NULL);
}

const struct completed_form *body_port_costs(const struct body *b,
					     const struct op *o)
{
	const struct completed_form *v = same_costs(b, o);

	return v && v->costs.has_ports &&
			       v->origin[COST_PORTS].origin == ORIGIN_MODEL
		       ? v
		       : o->costs;
}

bool body_idiom_is_free(const struct body *b, const struct op *o)
{
	const struct completed_form *v;

	if (!o->is_zero_idiom || !o->costs)
		return false;
	/* The variant's own ports say it. */
	if (body_port_costs(b, o) != o->costs)
		return false;
	/* What needs no port is limited by the front end, which is wider than
	 * any set of ports. */
	v = same_costs(b, o);
	return o->form->zero_idiom || (v && is_faster(v, o->uses, o->n_uses));
}

const struct completed_form *body_costs(const struct body *b,
					const struct instance *i)
{
	const struct catalogue *c = b->program->c;
	const char *suffix =
		c->isa->loop->suffix ? c->isa->loop->suffix(c, i) : NULL;
	const struct completed_form *plain,
		*v = suffix ? body_variant(b, i, suffix) : NULL;

	if (v)
		return v;
	plain = completed_form(b->completion, numbers_form(c, i));
	v = same_computation(b, i);
	return v && plain->costs.has_ports &&
			       is_faster(v, plain->costs.uses,
					 plain->costs.n_uses)
		       ? v
		       : plain;
}
