/* The form that has the costs of each instruction, and its slots and uses of
 * ports.
 *
 * Costs may depend on which registers an instruction has: one for all its
 * sources (the variant `same` of its form), or ah, bh, ch or dh (`high`). */
#include <math.h>
#include <string.h>

#include "host/isa/guest.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/mc.h"
#include "host/isa/variant.h"
#include "host/predict/bind.h"

/* ---- variants ---------------------------------------------------------- */

/* The costs of a variant of the instruction's form; NULL: the model does not
 * have the variant. */
static const struct completed_form *variant_costs(const struct body *b,
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
	return op_one_source(i) || (i->form->n_explicit == 2 &&
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
	return variant_costs(b, i, "same");
}

/* The variant `same` of a computation whose sources are one register, if the
 * model has its latencies; NULL: else.  Those of an idiom are below half a
 * cycle. */
static const struct completed_form *same_computation(const struct body *b,
						     const struct instance *i)
{
	static const double idiom = 0.5;
	const struct completed_form *v = i->form && op_one_source(i)
						 ? variant_costs(b, i, "same")
						 : NULL;

	for (size_t k = 0; v && k < v->own->n_latencies; k++)
		if (v->own->latencies[k].cycles.has_value &&
		    model_cycles(v->own->latencies[k].cycles) >= idiom)
			return v;
	return NULL;
}

/* The variant `same`, for its latencies.  It reads its register once, so it has
 * those of one source.  NULL: the sources are several registers; the model has
 * no latency of the variant, or less than half a cycle; or the costs are those
 * of another variant. */
static const struct model_form *same_latencies(const struct body *b,
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

/* The costs that have the ports and slots of an instruction with costs: of the
 * variant with one register, if it is that and the model has its ports; else
 * o->costs. */
static const struct completed_form *port_costs(const struct body *b,
					       const struct op *o)
{
	const struct completed_form *v = same_costs(b, o);

	return v && v->costs.has_ports &&
			       v->origin[COST_PORTS].origin == ORIGIN_MODEL
		       ? v
		       : o->costs;
}

/* Is it a zero idiom that needs no port, although its costs have ports? */
static bool idiom_is_free(const struct body *b, const struct op *o)
{
	const struct completed_form *v;

	if (!o->is_zero_idiom || !o->costs || !o->form)
		return false;
	/* The variant's own ports say it. */
	if (port_costs(b, o) != o->costs)
		return false;
	/* What needs no port is limited by the front end, which is wider than
	 * any set of ports. */
	v = same_costs(b, o);
	return o->form->zero_idiom || (v && is_faster(v, o->uses, o->n_uses));
}

/* First choice: the variant because of an immediate, or of ah, bh, ch or dh.
 * Second: the variant `same`, if all sources are one register and its
 * throughput is better than the ports of the form allow.  Else: the form. */
static const struct completed_form *choose_costs(const struct body *b,
						 const struct instance *i)
{
	const struct catalogue *c = b->program->c;
	const char *suffix =
		c->isa->loop->suffix ? c->isa->loop->suffix(c, i) : NULL;
	const struct completed_form *plain,
		*v = suffix ? variant_costs(b, i, suffix) : NULL;

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

/* ---- slots and uses ---------------------------------------------------- */

/* The only whole number of slots that the span allows; 0: none or several. */
static double only_whole(const struct model_span *s)
{
	/* Chosen: measured slots may be off by 1 %. */
	static const double off = 0.01;
	double least = ceil(s->low * (1 - off)),
	       most = floor(s->high * (1 + off));

	return least == most ? least : 0;
}

/* Uses of ports; those of units are limits of the form's rate. */
static size_t uses_of_ports(const struct model *m, const struct model_form *f)
{
	model_ports ports = 0;
	size_t ret = 0;

	for (size_t p = 0; p < m->n_ports; p++)
		if (!m->ports[p].pseudo)
			ports |= (model_ports)1 << p;
	for (size_t u = 0; u < f->n_uses; u++)
		ret += (f->uses[u].ports & ports) != 0;
	return ret;
}

/* Slots of the front end: the only whole number in the measured interval.  If
 * it has none and is narrow, its middle.  Else one, or for a computation in
 * registers whose own ports were measured one for each set of ports that it
 * uses, within the interval. */
static double slots_of(const struct body *b, const struct op *o,
		       const struct model_form *f)
{
	static const double one_number = 0.5;
	const struct model_span *s = &f->slots;
	double slots = 1, whole = s->has_value ? only_whole(s) : 0;

	if (whole > 0)
		return whole;
	if (s->has_value && s->high - s->low < one_number)
		return model_cycles(*s);
	if (!o->load && !o->store &&
	    o->origin[COST_PORTS].origin == ORIGIN_MODEL)
		slots = fmax(1, (double)uses_of_ports(b->model, f));
	if (s->has_value)
		slots = fmin(fmax(slots, s->low), s->high);
	return slots;
}

void bind_costs(struct body *b, struct op *o)
{
	o->slots = 1;
	if (o->form) {
		const struct completed_form *p = port_costs(b, o);

		o->same = same_latencies(b, o);
		memcpy(o->origin, o->costs->origin, sizeof(o->origin));
		o->origin[COST_PORTS] = p->origin[COST_PORTS];
		o->eliminated = o->form->eliminated;
		o->n_uses = p->costs.n_uses;
		o->uses = p->costs.uses;
		o->n_access = p->n_access;
		o->slots = slots_of(b, o, &p->costs);
	}
	if (idiom_is_free(b, o)) {
		o->n_uses = 0;
		o->n_access = 0;
	}
	o->decoded = o->slots;
}

void bind_form(struct body *b, struct op *o)
{
	if (!o->insn->instance.form)
		return;
	o->costs = choose_costs(b, &o->insn->instance);
	o->form = &o->costs->costs;
	o->operands = o->costs->form;
}

/* ---- assumptions ------------------------------------------------------- */

static bool is_branch(const struct op *o)
{
	return o->insn->instance.form &&
	       (o->insn->instance.form->flags & MC_CONTROL_FLOW);
}

static bool needs_ports(const struct op *o)
{
	return !o->eliminated && !o->is_zero_idiom && !is_branch(o);
}

/* Does one execution handle as many elements as a register says? */
static bool repeats(const struct body *b, const struct op *o)
{
	const struct isa_guest *guest = b->program->c->isa->guest;

	return guest && guest->repeats &&
	       guest->repeats(o->insn->code, o->insn->n_code) > 0;
}

/* What the layers below the tables mean for the user. */
void bind_assumption(struct body *b, struct op *o)
{
	if (!o->insn->instance.form)
		op_assume(o, "not known to the catalogue: one uop that needs "
			     "no port and nothing waits for");
	else if (o->eliminated || o->is_zero_idiom)
		return;
	else if (o->origin[COST_LATENCY].origin == ORIGIN_ASSUMED &&
		 o->origin[COST_THROUGHPUT].origin == ORIGIN_ASSUMED) {
		if (!is_branch(o))
			op_assume(o, repeats(b, o)
					     ? "repeats as often as a register "
					       "says, which no model has: one "
					       "uop without a port, latency 1 "
					       "cycle"
					     : "not in the model: one uop that "
					       "needs no port, latency 1 "
					       "cycle");
	} else if (o->costs->own_contradicted)
		op_assume(o, "ports: none, those of the model contradict its "
			     "throughput");
	else if (needs_ports(o) && !o->form->has_ports &&
		 o->origin[COST_PORTS].origin != ORIGIN_MODEL &&
		 !o->form->throughput.has_value)
		op_assume(o, "ports: none, the model has none");
	else if (o->origin[COST_LATENCY].origin == ORIGIN_ASSUMED)
		op_assume(o, o->costs->own
				     ? "latency of a pair of operands that is "
				       "not in the model: as from others"
				     : "latency: 1 cycle, the model has none");
}
