/* The counter of the loop around the instances. */
#include "host/gen/assigner.h"
#include "host/isa/isa.h"

/* Do the instances wait for each other through flags? */
static bool needs_flags(const struct assigner *a)
{
	uint16_t carried[EXPERIMENT_MAX_STEPS];
	size_t n;

	/* The loop does not use a flag that the next step reads. */
	if (a->chained)
		return experiment_chains_flags(a->c, a->x) &&
		       !experiment_is_closed(a->c, a->x);
	if (a->x->kind != EXPERIMENT_DEPENDENT)
		return false;
	n = form_carried(a->c, a->x->steps[0].form, NULL, carried,
			 ARRAY_LEN(carried));
	for (size_t i = 0; i < n && i < ARRAY_LEN(carried); i++)
		if (a->c->regs[carried[i]].bank == BANK_FLAGS)
			return true;
	return false;
}

/* Does a flag pass from one op to the next, and through the end of the loop?
 * Not if the next step reads it. */
static bool passes_flags(const struct assigner *a)
{
	const struct experiment_step *first = &a->x->steps[0];

	return !a->chained || experiment_measured(a->x) < 2 || first->src < 0 ||
	       first->form->operands[first->src].flag;
}

/* A chain through flags needs a loop that does not write flags, and so another
 * counter.  A form that uses this counter's register gets the usual loop; its
 * flags are read before the end of the loop. */
int assign_counter(struct assigner *a, bool *ret_flagless)
{
	uint64_t counter = 1ull << a->c->isa->counter_flagless;

	*ret_flagless = needs_flags(a);
	if (!*ret_flagless)
		return ERR_OK;
	if (a->used[BANK_GPR] & counter && !passes_flags(a)) {
		*ret_flagless = false;
		return ERR_OK;
	}
	if (a->used[BANK_GPR] & counter)
		return err_set(a->e, ERR_INPUT,
			       "%s: the chain needs flags and the register of "
			       "the loop counter",
			       a->x->steps[0].form->name);
	a->used[BANK_GPR] |= counter;
	return ERR_OK;
}
