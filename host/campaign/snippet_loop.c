/* What registers of own code become in a body, and what ends its loop; see
 * snippet.h. */
#include <string.h>

#include "host/campaign/snippet.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"

enum { N_GPRS = 32 };

/* What a register holds at some place of the body. */
enum held {
	HELD_FIRST,  /* the first value of a register, plus a constant */
	HELD_NUMBER, /* a constant */
	HELD_LOADED, /* what was in memory */
	HELD_OTHER,
};

struct holding {
	enum held what;
	bool vague; /* plus something more that is taken for 0 */
	uint8_t reg;
	int64_t add;
};

struct follower {
	const struct snippet_request *q;
	struct snippet *s;
	struct holding now[N_GPRS];
};

int snippet_gpr(const struct catalogue *c, uint16_t reg)
{
	const struct reg *r = &c->regs[reg];

	return reg != REG_NONE && r->bank == BANK_GPR && r->index < N_GPRS
		       ? r->index
		       : -1;
}

static bool steps_by_constant(const struct follower *w, int gpr)
{
	const struct snippet_gpr *g = &w->s->gprs[gpr];

	return g->steps && g->step != 0;
}

/* Of base + index * 1 either may be the address: it is not the one that
 * counts. */
static bool are_swapped(const struct follower *w, const struct holding *base,
			const struct holding *index, int64_t scale)
{
	return scale == 1 && index->what == HELD_FIRST &&
	       base->what == HELD_FIRST && steps_by_constant(w, base->reg) &&
	       !steps_by_constant(w, index->reg) &&
	       !w->s->gprs[index->reg].written;
}

static void note_address(struct follower *w, const struct insn *i,
			 const struct isa_address *at)
{
	const struct catalogue *c = w->q->program->c;
	const struct holding none = { .what = HELD_NUMBER };
	int base =
		at->base < 0 ? -1 : snippet_gpr(c, i->instance.reg[at->base]);
	int index =
		at->index < 0 ? -1 : snippet_gpr(c, i->instance.reg[at->index]);
	struct holding b = base < 0 ? none : w->now[base];
	struct holding x = index < 0 ? none : w->now[index];

	if (base >= 0 && base == c->isa->stack_pointer)
		return;
	if ((base < 0 && at->scale == 1) || are_swapped(w, &b, &x, at->scale)) {
		struct holding t = b;

		b = x;
		x = t;
	}
	if (b.what == HELD_FIRST)
		w->s->gprs[b.reg].pointer = true;
	if (b.what == HELD_LOADED)
		w->s->loads_addresses = true;
	if (x.what == HELD_FIRST)
		w->s->gprs[x.reg].index = true;
}

/* What an addition of an address and another register leaves: the address, if
 * the other is 0. */
static bool adds_to_address(struct follower *w, const struct insn *i,
			    struct holding *ret)
{
	const struct catalogue *c = w->q->program->c;
	const struct form *f = i->instance.form;
	struct isa_address at;
	int first = -1;

	if (f->access == 0 && c->isa->loop->address(c, &i->instance, &at) &&
	    at.base >= 0)
		first = snippet_gpr(c, i->instance.reg[at.base]);
	else if (strncmp(f->name, "ADD", 3) == 0 && f->n_explicit > 2)
		first = snippet_gpr(c, i->instance.reg[1]);
	if (first < 0 || w->now[first].what != HELD_FIRST)
		return false;
	*ret = w->now[first];
	ret->vague = true;
	for (unsigned k = 0; k < f->n_explicit; k++) {
		int g = snippet_gpr(c, i->instance.reg[k]);

		if (g >= 0 && g != first && f->operands[k].read &&
		    w->now[g].what == HELD_FIRST &&
		    w->s->gprs[ret->reg].pointer)
			w->s->gprs[w->now[g].reg].index = true;
	}
	return true;
}

/* What the results of an instruction hold. */
static void pass_insn(struct follower *w, const struct insn *i)
{
	const struct catalogue *c = w->q->program->c;
	const struct form *f = i->instance.form;
	struct holding result = { .what = f->access & ACCESS_LOAD
						  ? HELD_LOADED
						  : HELD_OTHER };
	uint32_t writes = snippet_uses(c, i).writes;
	struct isa_step step;
	int written = -1;

	if (c->isa->loop->step(c, &i->instance, &step) ||
	    (c->isa->frame->narrow_step &&
	     c->isa->frame->narrow_step(&i->instance, &step))) {
		int from = snippet_gpr(c, step.source);

		written = snippet_gpr(c, i->instance.reg[step.written]);
		if (step.source == REG_NONE)
			result = (struct holding){ .what = HELD_NUMBER,
						   .add = step.add };
		else if (from >= 0) {
			result = w->now[from];
			result.add = (int64_t)((uint64_t)result.add +
					       (uint64_t)step.add);
		}
	} else if (!(f->access & ACCESS_LOAD)) {
		(void)adds_to_address(w, i, &result);
	}
	for (int g = 0; g < N_GPRS; g++)
		if (writes >> g & 1)
			w->now[g] = written < 0 || g == written
					    ? result
					    : (struct holding){
						      .what = HELD_LOADED
					      };
}

static void follow_once(const struct snippet_request *q, struct snippet *s)
{
	const struct program *p = q->program;
	struct follower w = { .q = q, .s = s };

	for (int g = 0; g < N_GPRS; g++)
		w.now[g] = (struct holding){ .what = HELD_FIRST,
					     .reg = (uint8_t)g };
	for (size_t k = 0; k < s->n_insns; k++) {
		const struct insn *i = &p->insns[q->loop->first + k];
		struct isa_address at;

		if (i->instance.form->access != 0 &&
		    p->c->isa->loop->address(p->c, &i->instance, &at))
			note_address(&w, i, &at);
		pass_insn(&w, i);
	}
	for (int g = 0; g < N_GPRS; g++) {
		struct snippet_gpr *r = &s->gprs[g];

		r->steps = w.now[g].what == HELD_FIRST && w.now[g].reg == g &&
			   !w.now[g].vague;
		r->step = r->steps ? w.now[g].add : 0;
		/* The next body's address comes out of memory. */
		s->loads_addresses |=
			r->pointer && w.now[g].what == HELD_LOADED;
	}
}

/* A result of half a register clears the rest, or extends its sign. */
static void note_narrow(const struct catalogue *c, const struct insn *i,
			struct snippet *s)
{
	enum { WHOLE = 64 };
	const struct form *f = i->instance.form;

	for (unsigned k = 0; k < f->n_explicit; k++) {
		int g = snippet_gpr(c, i->instance.reg[k]);

		if (g >= 0 && f->operands[k].write &&
		    f->operands[k].reg_class != CLASS_NONE &&
		    c->classes[f->operands[k].reg_class].bits < WHOLE)
			s->gprs[g].narrow = true;
	}
}

/* Twice: what steps decides between base and index, and what is an address
 * decides what is added to it. */
void snippet_follow(const struct snippet_request *q, struct snippet *s)
{
	const struct program *p = q->program;

	for (size_t k = 0; k < s->n_insns; k++) {
		struct snippet_uses u =
			snippet_uses(p->c, &p->insns[q->loop->first + k]);

		s->used |= u.reads | u.writes;
		for (int g = 0; g < N_GPRS; g++) {
			s->gprs[g].read |= u.reads >> g & 1;
			s->gprs[g].written |= u.writes >> g & 1;
		}
		note_narrow(p->c, &p->insns[q->loop->first + k], s);
	}
	follow_once(q, s);
	for (int g = 0; g < N_GPRS; g++)
		s->gprs[g].pointer = s->gprs[g].index = false;
	s->loads_addresses = false;
	follow_once(q, s);
	follow_once(q, s);
}

/* ---- the end of the loop -------------------------------------------------- */

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

/* Does the jump depend on nothing? */
static bool is_unconditional(const struct catalogue *c, const struct insn *i)
{
	return !reads_flags(c, i->instance.form) &&
	       snippet_uses(c, i).reads == 0;
}

/* The jump that leaves the loop: the last one, or one before it that goes
 * outside.  NULL: there is none. */
static const struct insn *leaving_jump(const struct snippet_request *q,
				       const struct snippet *s)
{
	const struct program *p = q->program;
	const struct loop *l = q->loop;
	const struct insn *last = &p->insns[l->last];

	if (!is_unconditional(p->c, last))
		return last;
	for (size_t k = s->n_insns - 1; k-- > 0;) {
		const struct insn *i = &p->insns[l->first + k];

		if (i->jumps && !is_unconditional(p->c, i) &&
		    (i->target < (int64_t)l->first ||
		     i->target > (int64_t)l->last))
			return i;
	}
	return NULL;
}

/* The instruction that decides it. */
static const struct insn *deciding(const struct snippet_request *q,
				   const struct insn *jump)
{
	const struct program *p = q->program;

	if (!reads_flags(p->c, jump->instance.form))
		return jump;
	for (size_t k = (size_t)(jump - p->insns); k > q->loop->first;)
		if (writes_flags(p->c, p->insns[--k].instance.form))
			return &p->insns[k];
	return NULL;
}

/* The registers that it compares, and a number. */
struct compared {
	int regs[2];
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

static bool is_invariant(const struct snippet *s, int gpr)
{
	return !s->gprs[gpr].written;
}

static bool counts(const struct snippet *s, int gpr)
{
	return s->gprs[gpr].steps && s->gprs[gpr].step != 0;
}

/* A register counts up or down to the first value of another one. */
static bool ends_at_register(const struct snippet *s, const struct compared *x,
			     struct snippet_trip *ret)
{
	int r = x->regs[0], bound = x->regs[1];

	if (x->n != 2)
		return false;
	if (!counts(s, r)) {
		r = x->regs[1];
		bound = x->regs[0];
	}
	if (!counts(s, r) || !is_invariant(s, bound))
		return false;
	*ret = (struct snippet_trip){ .reg = bound,
				      .like = r,
				      .per_trip = s->gprs[r].step };
	return true;
}

/* A register counts up or down to a number, 0 where none is named.  What
 * changes the register itself compares with 0. */
static bool ends_at_number(const struct snippet *s, const struct compared *x,
			   bool changes, struct snippet_trip *ret)
{
	int r = x->regs[0];

	if (x->n != 1 || !counts(s, r) || s->gprs[r].pointer)
		return false;
	*ret = (struct snippet_trip){
		.reg = r,
		.like = -1,
		.first = x->has_number && !changes ? x->number : 0,
		.per_trip = -s->gprs[r].step,
	};
	return true;
}

/* What the loop's end compares; n is 0 if nothing is known of it. */
static struct compared find_compared(const struct snippet_request *q,
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
	const struct insn *jump = leaving_jump(q, s);
	const struct insn *i = jump ? deciding(q, jump) : NULL;
	bool changes;
	struct compared x = find_compared(q, jump, i, &changes);

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
	     ends_at_number(s, &x, changes, ret)) &&
	    holds(s, ret, w->condition(&jump->instance),
		  jump->target == (int64_t)q->loop->first))
		return check_trip(a, q, s, ret->reg, e);
	return err_set(e, ERR_INPUT,
		       "%s: cannot find the register that decides how often "
		       "this loop runs; name it with --iterations-in, or use "
		       "--mode unroll",
		       jump ? snippet_place(a, q->program, jump) : q->name);
}
