/* The links of a chain: registers that carry it from one step to the next; see
 * assign.h. */
#include "host/gen/assigner.h"

enum {
	PLAIN_LINK = 2, /* registers a chain alternates between */
	SIDE_LINK = 4,  /* if another operand reads the result, too: that
			  * dependency then spans four ops */
};

static size_t next_step(const struct assigner *a, size_t step)
{
	do
		step = step + 1 == a->x->n_steps ? 0 : step + 1;
	while (a->x->steps[step].helper);
	return step;
}

static bool is_tied_pair(const struct experiment_step *s)
{
	return s->src >= 0 && assign_root(s->form, s->src) == s->dst;
}

/* Which link register leaves each step: a tied source passes the one before
 * it on. */
static void join_links(struct assigner *a)
{
	size_t n = a->x->n_steps;

	for (size_t s = 0; s < n; s++)
		a->link_of[s] = s;
	for (size_t pass = 0; pass < n; pass++)
		for (size_t s = 0; s < n; s++) {
			const struct experiment_step *st = &a->x->steps[s];

			if (!st->helper && is_tied_pair(st))
				a->link_of[s] =
					a->link_of[assign_previous(a, s)];
		}
}

/* Does another use of the form read what the chain operand wrote, or does
 * another result overwrite what the chain operand read? */
static bool has_side_chain(const struct experiment_step *s)
{
	if (assign_root(s->form, s->src) != s->src)
		return true;
	for (int i = 0; i < s->form->n_explicit; i++)
		if (i != s->src && s->form->operands[i].tied_to == s->dst)
			return true;
	return s->src != s->dst && s->form->operands[s->dst].read;
}

/* Does the step take a link?  Without a chain a broken one has nothing to do with
 * the step before it. */
static bool takes_link(const struct assigner *a,
		       const struct experiment_step *s)
{
	return s->src >= 0 &&
	       !(s->broken &&
		 experiment_kind_is(a->x->kind, EXPERIMENT_BEHIND));
}

/* A fixed register on either end of the link of step `s`, which tied steps hand
 * on; or REG_NONE. */
static uint16_t fixed_end(const struct assigner *a, size_t s)
{
	uint16_t fixed = REG_NONE;

	for (size_t t = 0; t < a->x->n_steps && fixed == REG_NONE; t++) {
		const struct experiment_step *from = &a->x->steps[t], *to;

		if (from->helper || a->link_of[t] != a->link_of[s])
			continue;
		to = &a->x->steps[next_step(a, t)];
		if (from->dst >= 0)
			fixed = from->form->operands[from->dst].fixed_reg;
		if (fixed == REG_NONE && takes_link(a, to))
			fixed = to->form->operands[to->src].fixed_reg;
	}
	return fixed;
}

/* Register `r` as this end of a link names it, REG_NONE if it cannot be. */
static uint16_t end_member(const struct assigner *a,
			   const struct experiment_step *s, int op,
			   const struct reg *r)
{
	const struct operand *o = &s->form->operands[op];
	const struct reg *f = &a->c->regs[o->fixed_reg];

	if (o->fixed_reg == REG_NONE)
		return assign_member_at(a, assign_class_of(a, o), r);
	return f->bank == r->bank && f->index == r->index ? o->fixed_reg
							  : REG_NONE;
}

/* Can every step that hands the link of step `s` on, or takes it, name r? */
static bool fits_link(const struct assigner *a, size_t s, const struct reg *r)
{
	size_t link = a->link_of[s];

	for (size_t t = 0; t < a->x->n_steps; t++) {
		const struct experiment_step *st = &a->x->steps[t];

		if (st->helper)
			continue;
		if (st->dst >= 0 && a->link_of[t] == link &&
		    end_member(a, st, st->dst, r) == REG_NONE)
			return false;
		if (takes_link(a, st) &&
		    a->link_of[assign_previous(a, t)] == link &&
		    end_member(a, st, st->src, r) == REG_NONE)
			return false;
	}
	return true;
}

static int choose_link(struct assigner *a, size_t s)
{
	const struct experiment_step *from = &a->x->steps[s];
	const struct experiment_step *to = &a->x->steps[next_step(a, s)];
	const struct operand *out = &from->form->operands[from->dst];
	struct rotation *link = &a->links[a->link_of[s]];
	uint16_t fixed = fixed_end(a, s);
	bool overwritten = assign_root(from->form, from->src) != from->src;
	size_t want = 1;

	if (experiment_is_joint(a->c, a->x))
		want = 1;
	else if (!is_tied_pair(from) && has_side_chain(from))
		want = SIDE_LINK;
	else if (!is_tied_pair(from) && next_step(a, s) == s)
		want = PLAIN_LINK;
	/* With two registers a result that overwrites the source would be
	 * read again by the very next op. */
	size_t least = want > PLAIN_LINK && !overwritten ? PLAIN_LINK : want;

	/* The source that is no link takes a register of its own. */
	if (a->broken && experiment_is_closed(a->c, a->x))
		want = least;
	if (fixed != REG_NONE) {
		if (!fits_link(a, s, &a->c->regs[fixed]))
			return assign_no_register(a, s, from->dst);
		link->regs[link->n++] = fixed;
		return ERR_OK;
	}
	const struct reg_class *cls = assign_class_of(a, out);

	if (cls->n_regs <= ASSIGN_FEW_REGS)
		want = least;
	for (uint32_t i = 0; i < cls->n_regs && link->n < want; i++) {
		const struct reg *r = &a->c->regs[cls->regs[i]];
		uint16_t end = takes_link(a, to) ? end_member(a, to, to->src, r)
						 : cls->regs[i];

		/* Either end may be the larger register group. */
		if (!fits_link(a, s, r) || !assign_is_free(a, r) ||
		    !assign_is_free(a, &a->c->regs[end]))
			continue;
		assign_take(a, r);
		assign_take(a, &a->c->regs[end]);
		link->regs[link->n++] = cls->regs[i];
	}
	/* Three do not divide the lengths of bodies as two and four do. */
	if (link->n == 3)
		link->n = 2;
	return link->n >= least ? ERR_OK : assign_no_register(a, s, from->dst);
}

int assign_links(struct assigner *a)
{
	int ret = ERR_OK;

	if (!a->chained)
		return ERR_OK;
	join_links(a);
	for (size_t s = 0; s < a->x->n_steps && ret == ERR_OK; s++)
		if (!a->x->steps[s].helper && a->x->steps[s].dst >= 0 &&
		    a->links[a->link_of[s]].n == 0)
			ret = choose_link(a, s);
	return ret;
}

size_t assign_turns(const struct assigner *a)
{
	const struct experiment_step *s = &a->x->steps[0];
	size_t n = a->links[a->link_of[0]].n;

	if (a->x->kind != EXPERIMENT_LATENCY || a->x->n_steps != 1 ||
	    s->dst < 0 || is_tied_pair(s) || !has_side_chain(s) ||
	    experiment_is_joint(a->c, a->x))
		return 0;
	return n > 1 && n < SIDE_LINK ? n : 0;
}
