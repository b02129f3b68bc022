/* See links.h. */
#include "host/plan/links.h"

#include <stdio.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/variant.h"
#include "host/plan/graph.h"

static bool is_read(const struct catalogue *c, const struct operand *o)
{
	uint8_t bank = c->regs[o->fixed_reg].bank;

	if (o->kind == OPERAND_MEM)
		return o->reg_class != CLASS_NONE || o->fixed_reg != REG_NONE;
	return o->kind == OPERAND_REG && o->read &&
	       (o->fixed_reg == REG_NONE ||
		(bank != BANK_STATE && bank != BANK_NONE));
}

/* Registers that the step reads, and what the step before stored. */
static size_t n_sources(const struct catalogue *c,
			const struct experiment_step *s)
{
	size_t n = s->src < 0;

	for (int i = 0; i < s->form->n_operands; i++)
		n += is_read(c, &s->form->operands[i]);
	return n;
}

/* Can the step read something else than what the step before gives it? */
static bool is_breakable(const struct experiment_step *s)
{
	const struct form *f = s->form;

	if (s->src < 0)
		return !(f->variant && f->variant->boundary);
	return experiment_is_free_source(s) ||
	       f->operands[s->src].role == ROLE_BASE;
}

static void add_controls(const struct catalogue *c, const struct experiment *x,
			 void (*add)(void *context, const struct experiment *x),
			 void *context)
{
	struct experiment control = *x;
	size_t n = experiment_measured(x), known, end = n;

	if (x->kind != EXPERIMENT_LATENCY || n < 2)
		return;
	control.kind = EXPERIMENT_CONTROL;
	/* Carriers, and a store with its load, have one without a mark.  How
	 * carriers wait for each other does not depend on the form. */
	known = x->n_steps;
	if (experiment_is_carried(c, x)) {
		known = experiment_broken_step(c, &control);
		end = 2;
	} else if (x->steps[0].dst < 0) {
		known = 0;
	}
	for (size_t s = 0; s < end; s++) {
		struct experiment one = control;

		if (s == known || n_sources(c, &x->steps[s]) < 2 ||
		    !is_breakable(&x->steps[s]))
			continue;
		one.steps[s].broken = true;
		add(context, &one);
	}
}

/* Carriers alone?  They are compared with the chains of their steps. */
static bool is_loop(const struct catalogue *c, const struct experiment *x)
{
	const struct isa_carrier *k = c->isa->carriers;
	char label[PACK_MAX_LABEL];
	struct err ignored = { .code = ERR_OK };
	const char *steps;

	if (experiment_label(c, x, label, &ignored) != ERR_OK)
		return false;
	steps = strchr(label, ':') + 1;
	while (k && k->bank != BANK_NONE && strcmp(k->steps, steps) != 0)
		k++;
	return k && k->bank != BANK_NONE;
}

static bool is_used(const struct catalogue *c, const struct isa_carrier *k,
		    const struct experiment *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (experiment_carrier(c, &list[i]) == k)
			return true;
	return false;
}

void links_loops(const struct catalogue *c, const struct experiment *list,
		 size_t n,
		 void (*add)(void *context, const struct experiment *x),
		 void *context)
{
	const struct isa_carrier *k = c->isa->carriers;
	struct experiment x;

	for (; c->isa->in_order && k && k->bank != BANK_NONE; k++)
		if (is_used(c, k, list, n) && graph_carrier(c, k, &x) &&
		    x.n_steps > 1)
			add(context, &x);
}

void links_controls(const struct catalogue *c, const struct experiment *list,
		    size_t n,
		    void (*add)(void *context, const struct experiment *x),
		    void *context)
{
	for (size_t i = 0; c->isa->in_order && i < n; i++)
		if (!is_loop(c, &list[i]))
			add_controls(c, &list[i], add, context);
}

static bool has_helper(const struct experiment *x)
{
	for (size_t s = 0; s < x->n_steps; s++)
		if (x->steps[s].helper)
			return true;
	return false;
}

/* Is the throughput of the form in the list? */
static bool has_throughput(const struct experiment *list, size_t n,
			   const struct form *f)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].kind == EXPERIMENT_THROUGHPUT &&
		    list[i].n_steps == 1 && list[i].steps[0].form == f)
			return true;
	return false;
}

/* A mix with helpers needs the order for its bound.  Without one the cycle
 * makes a claim, for which its forms must be known alone. */
static bool is_order_asked(const struct experiment *list, size_t n,
			   const struct experiment *cycle)
{
	for (size_t i = 0; i < n; i++)
		if (has_helper(&list[i]))
			return true;
	for (size_t i = 0; i < cycle->n_steps; i++)
		if (!has_throughput(list, n, cycle->steps[i].form))
			return false;
	return true;
}

void links_order(const struct catalogue *c, const struct experiment *list,
		 size_t n,
		 void (*add)(void *context, const struct experiment *x),
		 void *context)
{
	char label[PACK_MAX_LABEL];
	struct experiment x;
	struct err ignored = { .code = ERR_OK };

	if (!c->isa->in_order)
		return;
	(void)snprintf(label, sizeof(label), "latency:%s", c->isa->in_order);
	if (experiment_parse(c, label, &x, &ignored) != ERR_OK)
		return;
	for (size_t i = 0; i < x.n_steps; i++)
		if (x.steps[i].form->status != FORM_MEASURABLE)
			return;
	if (!is_order_asked(list, n, &x))
		return;
	add(context, &x);
	add_controls(c, &x, add, context);
}
