/* Registers that results rotate through; see assign.h. */
#include "host/gen/assigner.h"
#include "host/gen/unite.h"

enum {
	DEAD = 4,        /* registers for results that nothing reads */
	EVEN_ROUNDS = 2, /* then registers go where they are needed */
	PART_WAIT = 8,   /* cycles of a result in a part of a register */
	PART_GPR = 32,   /* bits: narrower results leave the rest alone */
	PART_VECTOR = 128,
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

/* The step whose dependency a helper cuts: in a mix, the step before it. */
static size_t cut_step(const struct assigner *a, size_t s)
{
	while (s > 0 && (a->x->kind != EXPERIMENT_MIX || a->x->steps[s].helper))
		s--;
	return s;
}

/* A helper that cuts a dependency writes the register to be cut: the n-th
 * helper takes the n-th register that the measured form carries on. */
static bool cut_register(struct assigner *a, size_t s, int i)
{
	const struct reg_class *cls =
		assign_class_of(a, &a->x->steps[s].form->operands[i]);
	uint16_t carried[EXPERIMENT_MAX_STEPS];
	size_t of = cut_step(a, s), nth = 0;
	size_t n = a->x->kind == EXPERIMENT_MIX
			   ? form_carried(a->c, a->x->steps[of].form, NULL,
					  carried, ARRAY_LEN(carried))
			   : experiment_cuts(a->c, a->x, carried,
					     ARRAY_LEN(carried));

	for (size_t k = of; k < s; k++)
		nth += a->x->steps[k].helper;
	if (nth >= n || nth >= ARRAY_LEN(carried) ||
	    a->c->regs[carried[nth]].bank != cls->bank)
		return false;

	uint16_t m = assign_member_at(a, cls, &a->c->regs[carried[nth]]);

	a->pools[s][i].regs[0] = m;
	a->pools[s][i].n = m != REG_NONE;
	return m != REG_NONE;
}

/* A result in a part of a register may wait for the rest of it, as long as the
 * form takes. */
static bool is_part(const struct assigner *a, size_t s, int i)
{
	const struct reg_class *cls =
		assign_class_of(a, &a->x->steps[s].form->operands[i]);

	return cls->bits < (cls->bank == BANK_GPR ? PART_GPR : PART_VECTOR) ||
	       (cls->bank == BANK_VECTOR && unite_merges(a->c, a->x, s));
}

/* A result of a mix that no instance reads needs no register of its own;
 * results that are read again then get more registers. */
static bool is_dead(const struct assigner *a, size_t s, int i)
{
	const struct form *f = a->x->steps[s].form;

	if (a->x->kind != EXPERIMENT_MIX || a->x->steps[s].helper ||
	    !wants_pool(a, s, i))
		return false;
	for (int k = 0; k < f->n_explicit; k++)
		if (f->operands[k].tied_to == i)
			return false;
	for (int k = 0; k < i; k++)
		if (wants_pool(a, s, k))
			return false;
	return !is_part(a, s, i);
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

/* Earlier results that rotate through the same pool, its owner's first. */
static size_t n_sharing(const struct assigner *a, size_t s, int i,
			const struct rotation *from)
{
	size_t n = 0;

	for (size_t t = 0; t <= s; t++)
		for (int k = 0; k < a->x->steps[t].form->n_explicit; k++) {
			if (t == s && k >= i)
				break;
			n += is_dead(a, t, k) && (&a->pools[t][k] == from ||
						  shared_pool(a, t, k) == from);
		}
	return n;
}

/* An offset to the owner of the shared pool: neighbours write other registers,
 * and so do the last of an iteration and the owner in the next one. */
static void share_pool(struct assigner *a, size_t s, int i)
{
	const struct rotation *from = shared_pool(a, s, i);
	const struct reg_class *cls =
		assign_class_of(a, &a->x->steps[s].form->operands[i]);
	struct rotation *pool = &a->pools[s][i];
	size_t turn = from && n_sharing(a, s, i, from) % 2 == 1 ? 2 : 3;

	for (size_t k = 0; from && k < from->n; k++) {
		uint16_t reg = from->regs[(k + turn) % from->n];
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

/* How long an instance waits for a register of its pool, as a share of the time
 * of all of them. */
static double need_of(const struct assigner *a, size_t s, int i)
{
	const struct experiment_step *x = &a->x->steps[s];
	double cycles = x->latency > 0     ? x->latency
			: is_part(a, s, i) ? PART_WAIT
					   : 1;

	return cycles * x->count / (double)a->pools[s][i].n;
}

/* The results of a mix that wait longest get the remaining registers. */
static void share_rest(struct assigner *a, size_t max_period)
{
	bool done[EXPERIMENT_MAX_STEPS][FORM_MAX_OPERANDS] = { { false } };

	for (;;) {
		double most = 0;
		size_t step = 0;
		int result = 0;

		for (size_t s = 0; s < a->x->n_steps; s++)
			for (int i = 0; i < a->x->steps[s].form->n_explicit;
			     i++) {
				/* A helper writes the register that it cuts. */
				if (a->x->steps[s].helper || done[s][i] ||
				    a->pools[s][i].n == 0 ||
				    a->pools[s][i].n >= max_period ||
				    is_dead(a, s, i) ||
				    need_of(a, s, i) <= most)
					continue;
				most = need_of(a, s, i);
				step = s;
				result = i;
			}
		if (most == 0)
			return;
		done[step][result] = !grow_pool(a, step, result);
	}
}

/* Distribute registers in turns, so that pools of equal class end up equal; in
 * a mix, only the first of them. */
int assign_pools(struct assigner *a, size_t max_period)
{
	bool is_mix = a->x->kind == EXPERIMENT_MIX;
	size_t rounds = max_period;

	if (is_mix && rounds > DEAD)
		rounds = DEAD;
	for (size_t round = 0; round < rounds; round++)
		for (size_t s = 0; s < a->x->n_steps; s++)
			for (int i = 0; i < a->x->steps[s].form->n_explicit;
			     i++)
				if (wants_pool(a, s, i) &&
				    (!is_mix || round < EVEN_ROUNDS ||
				     is_dead(a, s, i)) &&
				    grow_result(a, s, i, round) != ERR_OK)
					return a->e->code;
	if (is_mix)
		share_rest(a, max_period);
	for (size_t s = 0; s < a->x->n_steps; s++)
		for (int i = 0; i < a->x->steps[s].form->n_explicit; i++)
			if (is_dead(a, s, i) && a->pools[s][i].n == 0)
				share_pool(a, s, i);
	return ERR_OK;
}
