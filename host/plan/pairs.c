/* Chains of one form with itself; see pairs.h. */
#include "host/plan/pairs.h"

#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/variant.h"

static const struct reg *fixed(const struct catalogue *c,
			       const struct operand *o)
{
	return o->fixed_reg == REG_NONE ? NULL : &c->regs[o->fixed_reg];
}

static bool is_dependency_bank(uint8_t bank)
{
	return bank != BANK_NONE && bank != BANK_STATE;
}

static uint8_t bank_of(const struct catalogue *c, const struct operand *o)
{
	const struct reg *f = fixed(c, o);

	return f ? f->bank : c->classes[o->reg_class].bank;
}

static bool class_holds(const struct catalogue *c, const struct operand *o,
			const struct reg *r)
{
	const struct reg_class *cls = &c->classes[o->reg_class];

	for (uint32_t i = 0; i < cls->n_regs; i++) {
		const struct reg *m = &c->regs[cls->regs[i]];

		if (m->bank == r->bank && m->index == r->index)
			return true;
	}
	return false;
}

/* Can both operands be the same register? */
static bool share_register(const struct catalogue *c, const struct operand *s,
			   const struct operand *d)
{
	const struct reg *fs = fixed(c, s);
	const struct reg *fd = fixed(c, d);

	if (fs && fd)
		return reg_overlap(fs, fd);
	if (fs)
		return class_holds(c, d, fs);
	if (fd)
		return class_holds(c, s, fd);

	const struct reg_class *cls = &c->classes[s->reg_class];

	for (uint32_t i = 0; i < cls->n_regs; i++)
		if (class_holds(c, d, &c->regs[cls->regs[i]]))
			return true;
	return false;
}

/* Does an operand other than `but` always read register r, which is also
 * operand `dst`? */
static bool reads_also(const struct catalogue *c, const struct form *form,
		       int but, int dst, const struct reg *r)
{
	for (int i = 0; i < form->n_operands; i++) {
		const struct operand *o = &form->operands[i];
		const struct reg *f = fixed(c, o);

		if (i == but || o->kind != OPERAND_REG || !o->read)
			continue;
		if (f ? reg_overlap(f, r)
		      : dst >= 0 && (i == dst || o->tied_to == dst))
			return true;
	}
	return false;
}

/* Does the ISA's breaker write this register?  Most breakers can write any. */
static bool breaks(const struct catalogue *c, const struct form *form,
		   const struct reg *r)
{
	const struct form *f = pair_breaker(c, form, r->bank);

	for (int i = 0; f && i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		const struct reg *its = fixed(c, o);

		if (its && o->write && its->bank == r->bank &&
		    its->bank != BANK_FLAGS)
			return reg_overlap(its, r);
	}
	return true;
}

/* Add a cut for every implicit register that the form carries on, except
 * register `keep`; false if a cut would also cut that one, or the breaker
 * writes another register. */
static bool add_cuts(const struct catalogue *c, const struct form *form,
		     const struct reg *keep, struct pair *ret)
{
	uint16_t regs[PAIR_MAX_CUTS];

	ret->n_cuts = form_carried(c, form, keep, regs, PAIR_MAX_CUTS);
	if (ret->n_cuts > PAIR_MAX_CUTS)
		return false;
	for (size_t i = 0; i < ret->n_cuts; i++) {
		ret->cuts[i] = c->regs[regs[i]].bank;
		if (!breaks(c, form, &c->regs[regs[i]]))
			return false;
		if (keep && keep->bank == BANK_FLAGS &&
		    ret->cuts[i] == BANK_FLAGS)
			return false;
	}
	return true;
}

bool pair_independent(const struct catalogue *c, const struct form *form,
		      struct pair *ret)
{
	*ret = (struct pair){ .src = -1, .dst = -1 };
	return add_cuts(c, form, NULL, ret);
}

enum pair_verdict pair_check(const struct catalogue *c, const struct form *form,
			     int src, int dst, struct pair *ret)
{
	const struct operand *s = &form->operands[src];
	const struct operand *d = &form->operands[dst];
	struct pair pair = { .src = src, .dst = dst };

	if (bank_of(c, s) != bank_of(c, d) ||
	    !is_dependency_bank(bank_of(c, s)) || !share_register(c, s, d))
		return PAIR_OTHER_CLASS;

	const struct reg *keep = fixed(c, s) ? fixed(c, s) : fixed(c, d);

	/* A fixed register puts every reader of it in the chain. */
	if (keep && reads_also(c, form, src, dst, keep))
		return PAIR_COUPLED;
	if (!add_cuts(c, form, keep, &pair))
		return PAIR_COUPLED;
	*ret = pair;
	return PAIR_OK;
}

const struct form *pair_breaker(const struct catalogue *c,
				const struct form *of, uint8_t bank)
{
	const struct isa *isa = c->isa;
	/* The named values must be the result again. */
	const char *gpr =
		form_family(of) == FAMILY_FAST || form_family(of) == FAMILY_SLOW
			? isa->breaker_copy
			: isa->breaker_gpr;
	const char *name = bank == BANK_FLAGS  ? isa->breaker_flags
			   : bank == BANK_GPR  ? gpr
			   : bank == BANK_MASK ? isa->breaker_mask
			   : bank == BANK_X87  ? isa->breaker_stack
					       : NULL;

	return name ? catalogue_form(c, name) : NULL;
}

bool pair_add_helpers(const struct catalogue *c, const struct pair *pair,
		      struct experiment *x)
{
	for (size_t i = 0; i < pair->n_cuts; i++) {
		const struct form *f =
			pair_breaker(c, x->steps[0].form, pair->cuts[i]);

		if (!f || x->n_steps == EXPERIMENT_MAX_STEPS)
			return false;
		x->steps[x->n_steps++] = (struct experiment_step){
			.form = f,
			.src = -1,
			.dst = -1,
			.count = 1,
			.helper = true,
		};
	}
	return true;
}

bool pair_other_helpers(const struct catalogue *c, const struct experiment *x,
			struct experiment *ret)
{
	const struct isa *isa = c->isa;
	const struct form *copy =
		isa->breaker_copy ? catalogue_form(c, isa->breaker_copy) : NULL;
	bool is_other = false;

	*ret = *x;
	for (size_t i = 0; i < x->n_steps && copy; i++) {
		if (!x->steps[i].helper ||
		    strcmp(x->steps[i].form->name, isa->breaker_gpr) != 0)
			continue;
		ret->steps[i].form = copy;
		is_other = true;
	}
	return is_other;
}
