/* What the files that assign registers share: which registers are taken, and
 * what an operand is to the chain. */
#include "host/gen/assigner.h"

static uint64_t reg_mask(const struct reg *r)
{
	uint64_t ones = r->span >= 64 ? ~0ull : (1ull << r->span) - 1;

	return ones << (r->index & 63);
}

bool assign_is_free(const struct assigner *a, const struct reg *r)
{
	return !(a->used[r->bank] & reg_mask(r));
}

void assign_take(struct assigner *a, const struct reg *r)
{
	a->used[r->bank] |= reg_mask(r);
}

const struct reg_class *assign_class_of(const struct assigner *a,
					const struct operand *o)
{
	return &a->c->classes[o->reg_class];
}

/* The member of a class at the same place as `r`, or REG_NONE. */
uint16_t assign_member_at(const struct assigner *a, const struct reg_class *cls,
			  const struct reg *r)
{
	for (uint32_t i = 0; i < cls->n_regs; i++) {
		const struct reg *m = &a->c->regs[cls->regs[i]];

		if (m->bank == r->bank && m->index == r->index)
			return cls->regs[i];
	}
	return REG_NONE;
}

/* The explicit definition that a tied use repeats, else the operand; -1 for
 * none, as in a store, whose result is in memory. */
int assign_root(const struct form *f, int operand)
{
	int tied = operand < 0 ? -1 : f->operands[operand].tied_to;

	return tied >= 0 ? tied : operand;
}

/* Is the operand part of the chain?  A source that is tied to a result other
 * than the chain's takes that result along: both are the incoming link. */
bool assign_is_link(const struct assigner *a, size_t step, int operand)
{
	const struct experiment_step *s = &a->x->steps[step];

	if (operand == s->src &&
	    (s->broken || (a->broken && step == a->broken_step)))
		return false;
	return a->chained && !s->helper &&
	       (operand == s->src || operand == s->dst ||
		operand == assign_root(s->form, s->src));
}

size_t assign_previous(const struct assigner *a, size_t step)
{
	do
		step = step == 0 ? a->x->n_steps - 1 : step - 1;
	while (a->x->steps[step].helper);
	return step;
}

int assign_no_register(const struct assigner *a, size_t step, int operand)
{
	return err_set(a->e, ERR_INPUT,
		       "%s: no register is free for operand %d",
		       a->x->steps[step].form->name, operand);
}

/* Vector 0 is the mask of some forms, and other forms set it apart from its
 * image. */
static bool is_last_resort(const struct reg *r)
{
	return r->bank == BANK_VECTOR && r->index == 0;
}

uint16_t assign_pick(struct assigner *a, uint16_t reg_class)
{
	const struct reg_class *cls = &a->c->classes[reg_class];

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t k = cls->n_regs; k-- > 0;) {
			const struct reg *r = &a->c->regs[cls->regs[k]];

			if (!assign_is_free(a, r) ||
			    (pass == 0 && is_last_resort(r)))
				continue;
			assign_take(a, r);
			return cls->regs[k];
		}
	return REG_NONE;
}
