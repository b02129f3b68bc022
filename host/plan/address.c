/* From the registers of an address to the results of a form; see address.h. */
#include "host/plan/address.h"

#include "host/isa/variant.h"
#include "host/plan/graph.h"
#include "host/plan/memory.h"
#include "host/plan/pairs.h"

/* Is it a register of the address? */
static bool is_address(const struct operand *o)
{
	return o->kind == OPERAND_MEM && o->reg_class != CLASS_NONE &&
	       o->role != ROLE_OTHER && o->role != ROLE_DISPLACEMENT;
}

/* Control and status registers are no part of a chain. */
static bool is_result(const struct catalogue *c, const struct operand *o)
{
	uint8_t bank = c->regs[o->fixed_reg].bank;

	return o->kind == OPERAND_REG && o->write && !o->unchained &&
	       (o->fixed_reg == REG_NONE ||
		(bank != BANK_STATE && bank != BANK_NONE));
}

static bool is_measured(const struct experiment *list, size_t n, int src,
			int dst)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].kind == EXPERIMENT_LATENCY &&
		    list[i].steps[0].src == src && list[i].steps[0].dst == dst)
			return true;
	return false;
}

/* The flag that stands for all that a form computes. */
static int chosen_flag(const struct catalogue *c, const struct form *f)
{
	for (int i = f->n_explicit; i < f->n_operands; i++)
		if (f->operands[i].flag && is_result(c, &f->operands[i]) &&
		    !f->operands[i].constant)
			return i;
	return -1;
}

/* Is the register set before each instance, so that nothing is carried in it?
 */
static bool is_set_anew(const struct form *f, int dst)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to == dst && !f->operands[i].read)
			return true;
	return false;
}

/* A latency cycle through a base that only the chain changes. */
static const char *close_cycle(const struct address_request *q,
			       const struct form *f, int src, int dst)
{
	const struct operand *d = &f->operands[dst];
	struct experiment x, other, longer;
	struct pair cuts;
	const char *why;

	if (f->operands[src].role != ROLE_BASE || form_writes_base(f) ||
	    d->constant)
		return memory_silence(q->catalogue, f, dst);
	/* It cannot go from place to place. */
	if (f->access & ACCESS_STORE && form_part(f, ROLE_DISPLACEMENT) < 0)
		return "it would wait for what the one before stored";
	if (is_set_anew(f, dst))
		return "the result is set before each instance";
	if (d->flag && dst != chosen_flag(q->catalogue, f))
		return "another flag stands for all of the form";
	why = graph_address(q->catalogue, f, src, dst, &x, &cuts);
	if (!why && !pair_add_helpers(q->catalogue, &cuts, &x))
		why = "no helper cuts another dependency";
	if (!why)
		q->add(q->context, &x);
	/* Two copies need two registers more, which may not be free. */
	if (!why && cuts.n_cuts == 1 &&
	    pair_other_helpers(q->catalogue, &x, &other))
		q->add(q->context, &other);
	if (!why && graph_lengthen(q->catalogue, &x, &longer)) {
		q->add(q->context, &longer);
		/* Independent delays overlap with the access. */
		longer.kind = EXPERIMENT_CONTROL;
		q->add(q->context, &longer);
	}
	return why;
}

void address_experiments(const struct address_request *q, const struct form *f)
{
	struct experiment more[MEMORY_MAX_EXPERIMENTS];
	const char *never = f->variant ? f->variant->unchained : NULL;
	size_t n =
		never ? 0
		      : memory_experiments(q->catalogue, f, q->measured, more);

	for (size_t i = 0; i < n; i++)
		q->add(q->context, &more[i]);
	for (int src = 0; src < f->n_explicit; src++)
		for (int dst = 0; dst < f->n_operands; dst++) {
			const char *why = never;

			if (!is_address(&f->operands[src]) ||
			    !is_result(q->catalogue, &f->operands[dst]) ||
			    is_measured(more, n, src, dst))
				continue;
			if (!why)
				why = close_cycle(q, f, src, dst);
			if (why)
				q->skip(q->context, f, src, dst, why);
		}
}
