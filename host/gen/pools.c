/* Registers that results rotate through; see assign.h. */
#include "host/gen/assigner.h"

enum {
	DEAD = 4, /* registers for results that nothing reads */
};

static bool wants_pool(const struct assigner *a, size_t s, int i)
{
	const struct operand *o = &a->x->steps[s].form->operands[i];

	return o->kind == OPERAND_REG && o->write && o->fixed_reg == REG_NONE &&
	       !assign_is_link(a, s, i);
}

/* One more register for a pool, false when none is free. */
static bool grow_pool(struct assigner *a, size_t s, int i)
{
	const struct operand *o = &a->x->steps[s].form->operands[i];
	const struct reg_class *cls = assign_class_of(a, o);
	struct rotation *pool = &a->pools[s][i];

	if (pool->n == ASSIGN_MAX_PERIOD)
		return false;
	for (uint32_t k = 0; k < cls->n_regs; k++) {
		const struct reg *r = &a->c->regs[cls->regs[k]];

		if (!assign_is_free(a, r))
			continue;
		assign_take(a, r);
		pool->regs[pool->n++] = cls->regs[k];
		return true;
	}
	return false;
}

/* A helper that cuts a dependency writes the register to be cut: the n-th
 * helper takes the n-th register that the measured form carries on. */
static bool cut_register(struct assigner *a, size_t s, int i)
{
	const struct reg_class *cls =
		assign_class_of(a, &a->x->steps[s].form->operands[i]);
	uint16_t carried[EXPERIMENT_MAX_STEPS];
	size_t n = form_carried(a->c, a->x->steps[0].form, assign_fixed_link(a),
				carried, ARRAY_LEN(carried));
	size_t nth = 0;

	for (size_t k = 0; k < s; k++)
		nth += a->x->steps[k].helper;
	if (nth >= n || nth >= ARRAY_LEN(carried) ||
	    a->c->regs[carried[nth]].bank != cls->bank)
		return false;

	uint16_t m = assign_member_at(a, cls, &a->c->regs[carried[nth]]);

	a->pools[s][i].regs[0] = m;
	a->pools[s][i].n = m != REG_NONE;
	return m != REG_NONE;
}

/* A result of a mix that no instance reads: it needs no register of its own, so
 * that those that are read again get the more. */
static bool is_dead(const struct assigner *a, size_t s, int i)
{
	const struct form *f = a->x->steps[s].form;

	if (a->x->kind != EXPERIMENT_MIX || !wants_pool(a, s, i))
		return false;
	for (int k = 0; k < f->n_explicit; k++)
		if (f->operands[k].tied_to == i)
			return false;
	for (int k = 0; k < i; k++)
		if (wants_pool(a, s, k))
			return false;
	return true;
}

/* The pool of an earlier step that a dead result can rotate through too. */
static const struct rotation *shared_pool(const struct assigner *a, size_t s,
					  int i)
{
	const struct reg_class *cls =
		assign_class_of(a, &a->x->steps[s].form->operands[i]);

	for (size_t t = 0; is_dead(a, s, i) && t < s; t++)
		for (int k = 0; k < a->x->steps[t].form->n_explicit; k++) {
			const struct rotation *pool = &a->pools[t][k];

			if (pool->n > 0 && is_dead(a, t, k) &&
			    assign_member_at(a, cls,
					     &a->c->regs[pool->regs[0]]))
				return pool;
		}
	return NULL;
}

/* Not in step with the pool it shares: neighbours write other registers. */
static void share_pool(struct assigner *a, size_t s, int i)
{
	const struct rotation *from = shared_pool(a, s, i);
	const struct reg_class *cls =
		assign_class_of(a, &a->x->steps[s].form->operands[i]);
	struct rotation *pool = &a->pools[s][i];

	for (size_t k = 0; from && k < from->n; k++) {
		uint16_t reg = from->regs[(k + 2 * s) % from->n];
		uint16_t mine = assign_member_at(a, cls, &a->c->regs[reg]);

		if (mine != REG_NONE)
			pool->regs[pool->n++] = mine;
	}
}

static int grow_result(struct assigner *a, size_t s, int i, size_t round)
{
	if (a->x->steps[s].helper) {
		if (round > 0 || cut_register(a, s, i) || grow_pool(a, s, i))
			return ERR_OK;
		return assign_no_register(a, s, i);
	}
	if (is_dead(a, s, i) && (round >= DEAD || shared_pool(a, s, i)))
		return ERR_OK;
	return grow_pool(a, s, i) || round > 0 ? ERR_OK
					       : assign_no_register(a, s, i);
}

/* Hand registers out in turns, so that pools of equal class end up equal. */
int assign_pools(struct assigner *a, size_t max_period)
{
	for (size_t round = 0; round < max_period; round++)
		for (size_t s = 0; s < a->x->n_steps; s++)
			for (int i = 0; i < a->x->steps[s].form->n_explicit;
			     i++)
				if (wants_pool(a, s, i) &&
				    grow_result(a, s, i, round) != ERR_OK)
					return a->e->code;
	for (size_t s = 0; s < a->x->n_steps; s++)
		for (int i = 0; i < a->x->steps[s].form->n_explicit; i++)
			if (is_dead(a, s, i) && a->pools[s][i].n == 0)
				share_pool(a, s, i);
	return ERR_OK;
}
