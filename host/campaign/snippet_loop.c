/* What ends the loop of own code; see snippet.h. */
#include "host/campaign/snippet_follow.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"

static bool writes_flags(const struct catalogue *c, const struct form *f)
{
	for (unsigned k = 0; k < f->n_operands; k++) {
		const struct operand *o = &f->operands[k];

		if (o->flag && o->write && !o->constant)
			return true;
		if (o->implicit && o->write && o->fixed_reg != REG_NONE &&
		    c->regs[o->fixed_reg].bank == BANK_FLAGS)
			return true;
	}
	return false;
}

static bool reads_flags(const struct catalogue *c, const struct form *f)
{
	for (unsigned k = 0; k < f->n_operands; k++) {
		const struct operand *o = &f->operands[k];

		if (o->read &&
		    (o->flag || (o->fixed_reg != REG_NONE &&
				 c->regs[o->fixed_reg].bank == BANK_FLAGS)))
			return true;
	}
	return false;
}

bool snippet_is_conditional(const struct catalogue *c, const struct insn *i)
{
	return reads_flags(c, i->instance.form) ||
	       snippet_uses(c, i).reads != 0;
}

/* The jump that leaves the loop: the last one, or one before it that goes
 * outside.  NULL: there is none. */
static const struct insn *leaving_jump(const struct snippet *s)
{
	const struct program *p = &s->program;
	const struct loop *l = &s->loop;
	const struct insn *last = &p->insns[l->last];

	if (snippet_is_conditional(p->c, last))
		return last;
	for (size_t k = s->n_insns - 1; k-- > 0;) {
		const struct insn *i = &p->insns[l->first + k];

		if (i->jumps && snippet_is_conditional(p->c, i) &&
		    (i->target < (int64_t)l->first ||
		     i->target > (int64_t)l->last))
			return i;
	}
	return NULL;
}

/* The instruction that decides it. */
static const struct insn *deciding(const struct snippet *s,
				   const struct insn *jump)
{
	const struct program *p = &s->program;

	if (!reads_flags(p->c, jump->instance.form))
		return jump;
	for (size_t k = (size_t)(jump - p->insns); k > s->loop.first;)
		if (writes_flags(p->c, p->insns[--k].instance.form))
			return &p->insns[k];
	return NULL;
}

/* The registers that it compares, what they hold, and a number. */
struct compared {
	int regs[2];
	struct holding held[2];
	size_t n;
	bool has_number;
	int64_t number;
};

static struct compared compared_by(const struct catalogue *c,
				   const struct insn *i)
{
	const struct form *f = i->instance.form;
	struct compared ret = { .n = 0 };

	for (unsigned k = 0; k < f->n_explicit; k++) {
		const struct operand *o = &f->operands[k];
		int g = snippet_gpr(c, i->instance.reg[k]);

		if (o->kind == OPERAND_REG && o->read && g >= 0 &&
		    g != c->isa->loop->zero_gpr && ret.n < 2 &&
		    (ret.n == 0 || ret.regs[0] != g))
			ret.regs[ret.n++] = g;
		if (o->kind == OPERAND_IMM && !ret.has_number && !i->jumps) {
			ret.has_number = true;
			ret.number = i->instance.imm[k];
		}
	}
	return ret;
}

/* What the registers hold when they are compared: behind what compares them, which
 * may change one. */
static void hold(const struct snippet_request *q, const struct snippet *s,
		 const struct insn *i, struct compared *x)
{
	struct holding now[SNIPPET_GPRS];

	snippet_holdings(q, s, i, now);
	for (size_t k = 0; k < x->n; k++)
		x->held[k] = now[x->regs[k]];
}

static bool counts(const struct snippet *s, int gpr)
{
	return s->gprs[gpr].steps && s->gprs[gpr].step != 0;
}

/* Does it hold the first value of a register that counts, or of one that does not
 * change, plus a constant? */
static bool holds_count(const struct snippet *s, const struct holding *h)
{
	return h->what == HELD_FIRST && !h->vague && counts(s, h->reg);
}

static bool holds_invariant(const struct snippet *s, const struct holding *h)
{
	return h->what == HELD_FIRST && !h->vague && !s->gprs[h->reg].written;
}

/* What is to be added to the first value so that the value compared in the last of
 * n bodies is that value plus n steps. */
static int64_t count_begins(const struct snippet *s, const struct holding *h)
{
	return s->gprs[h->reg].step - h->add;
}

/* A register counts up or down to the first value of another one. */
static bool ends_at_register(const struct snippet *s, const struct compared *x,
			     struct snippet_trip *ret)
{
	const struct holding *r = &x->held[0], *bound = &x->held[1];

	if (x->n != 2)
		return false;
	if (!holds_count(s, r)) {
		r = &x->held[1];
		bound = &x->held[0];
	}
	if (!holds_count(s, r) || !holds_invariant(s, bound))
		return false;
	*ret = (struct snippet_trip){
		.reg = bound->reg,
		.like = r->reg,
		.first = -count_begins(s, r) - bound->add,
		.per_trip = s->gprs[r->reg].step,
	};
	return true;
}

/* A register counts up or down to a number, 0 where none is named.  What
 * changes the register itself compares with 0. */
static bool ends_at_number(const struct snippet *s, const struct compared *x,
			   bool changes, struct snippet_trip *ret)
{
	const struct holding *r = &x->held[0];

	if (x->n != 1 || !holds_count(s, r) || s->gprs[r->reg].pointer)
		return false;
	*ret = (struct snippet_trip){
		.reg = r->reg,
		.like = -1,
		.first = (x->has_number && !changes ? x->number : 0) +
			 count_begins(s, r),
		.per_trip = -s->gprs[r->reg].step,
	};
	return true;
}

/* An index, which begins at 0, and a register that does not change add up to a
 * number. */
static bool ends_at_sum(const struct snippet *s, const struct compared *x,
			bool changes, struct snippet_trip *ret)
{
	struct holding r = x->held[0];
	int bound = r.other;

	if (x->n != 1 || r.what != HELD_FIRST || r.other < 0)
		return false;
	if (!counts(s, r.reg)) {
		bound = r.reg;
		r.reg = (uint8_t)r.other;
	}
	if (!counts(s, r.reg) || !s->gprs[r.reg].index ||
	    s->gprs[r.reg].pointer || s->gprs[bound].written ||
	    s->gprs[bound].pointer || s->gprs[bound].index)
		return false;
	*ret = (struct snippet_trip){
		.reg = bound,
		.like = -1,
		.first = (x->has_number && !changes ? x->number : 0) +
			 count_begins(s, &r),
		.per_trip = -s->gprs[r.reg].step,
	};
	return true;
}

/* What the loop's end compares; n is 0 if nothing is known of it. */
static struct compared find_compared(const struct snippet_request *q,
				     const struct snippet *s,
				     const struct insn *jump,
				     const struct insn *i, bool *ret_changes)
{
	const struct catalogue *c = q->program->c;
	const struct isa_frame *w = c->isa->frame;
	const struct form *f = i ? i->instance.form : NULL;
	struct compared x = { .n = 0 }, none = { .n = 0 };

	*ret_changes = false;
	if (!f || f->access & ACCESS_LOAD ||
	    (i != jump && !name_matches_any(w->compares, f->name)))
		return none;
	x = compared_by(c, i);
	*ret_changes =
		x.n > 0 && (snippet_uses(c, i).writes >> x.regs[0] & 1) != 0;
	/* A test of bits tells when a register is 0, if it is of all its bits,
	 * which a jump's is not. */
	if (name_matches_any(w->tests, f->name) &&
	    (x.n != 1 || x.has_number || i == jump))
		return none;
	if (x.has_number && w->number_of && i != jump &&
	    !w->number_of(&i->instance, &x.number))
		return none;
	hold(q, s, i, &x);
	return x;
}

/* Do the first values make the loop run so often?  `back`: the jump goes on with
 * the loop, and does not leave it. */
static bool holds(const struct snippet *s, const struct snippet_trip *t,
		  enum frame_condition condition, bool back)
{
	bool negative = t->like < 0 && t->per_trip < 0;

	/* While two values are equal it ends after one. */
	if (back && condition == FRAME_EQUAL)
		return false;
	/* Numbers below 0 are large ones, and so they are as half a register. */
	if (negative && condition == FRAME_UNSIGNED)
		return false;
	return !(negative && s->gprs[t->reg].narrow && s->gprs[t->reg].index);
}

/* Can the frame set this register? */
static int check_trip(struct arena *a, const struct snippet_request *q,
		      const struct snippet *s, int reg, struct err *e)
{
	const struct isa *isa = q->program->c->isa;

	if (!(isa->frame->reserved >> reg & 1) && (s->used >> reg & 1))
		return ERR_OK;
	return err_set(e, ERR_INPUT,
		       "%s: %s cannot hold the number of iterations: the code "
		       "does not use it, or it is reserved",
		       q->name, frame_gpr(a, isa, (unsigned)reg));
}

int snippet_find_trip(struct arena *a, const struct snippet_request *q,
		      const struct snippet *s, struct snippet_trip *ret,
		      struct err *e)
{
	const struct isa_frame *w = q->program->c->isa->frame;
	const struct insn *jump = leaving_jump(s);
	const struct insn *i = jump ? deciding(s, jump) : NULL;
	bool changes;
	struct compared x = find_compared(q, s, jump, i, &changes);

	if (q->trips_in >= 0) {
		/* What is not seen to count counts down by one. */
		*ret = (struct snippet_trip){
			.reg = q->trips_in,
			.like = -1,
			.per_trip = counts(s, q->trips_in)
					    ? -s->gprs[q->trips_in].step
					    : 1,
		};
		return check_trip(a, q, s, ret->reg, e);
	}
	if ((ends_at_register(s, &x, ret) ||
	     ends_at_number(s, &x, changes, ret) ||
	     ends_at_sum(s, &x, changes, ret)) &&
	    holds(s, ret, w->condition(&jump->instance),
		  jump->target == (int64_t)s->loop.first))
		return check_trip(a, q, s, ret->reg, e);
	return err_set(e, ERR_INPUT,
		       "%s: cannot find the register that decides how often "
		       "this loop runs; name it with --iterations-in, or use "
		       "--mode unroll",
		       jump ? snippet_place(a, q->program, jump) : q->name);
}
