/* What registers of own code become in a body; see snippet.h. */
#include "host/campaign/snippet_follow.h"

#include <string.h>

#include "host/isa/frame.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"

enum { N_GPRS = SNIPPET_GPRS };

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

/* The register that an addition adds unscaled, of an address or of the form
 * destination, source, source; -1: something else is added. */
static int added_register(const struct catalogue *c, const struct insn *i,
			  const struct isa_address *at)
{
	enum { SECOND_SOURCE = 2 };

	if (at->base < 0)
		return snippet_gpr(c, i->instance.reg[SECOND_SOURCE]);
	return at->index >= 0 && at->scale == 1
		       ? snippet_gpr(c, i->instance.reg[at->index])
		       : -1;
}

/* The sum of two holdings, of which one is what it is by itself. */
static struct holding sum_of(struct holding x, const struct holding *y)
{
	x.add = (int64_t)((uint64_t)x.add + (uint64_t)y->add);
	x.other = !x.vague && !y->vague && y->what == HELD_FIRST
			  ? (int8_t)y->reg
			  : -1;
	return x;
}

/* What an addition of an address and another register leaves: the address, if
 * the other is 0. */
static bool adds_to_address(struct follower *w, const struct insn *i,
			    struct holding *ret)
{
	const struct catalogue *c = w->q->program->c;
	const struct form *f = i->instance.form;
	struct isa_address at = { .base = -1, .index = -1 };
	int first = -1, added;

	if (f->access == 0 && c->isa->loop->address(c, &i->instance, &at) &&
	    at.base >= 0)
		first = snippet_gpr(c, i->instance.reg[at.base]);
	else if (strncmp(f->name, "ADD", 3) == 0 && f->n_explicit > 2)
		first = snippet_gpr(c, i->instance.reg[1]);
	if (first < 0 || w->now[first].what != HELD_FIRST)
		return false;
	*ret = w->now[first];
	ret->add = (int64_t)((uint64_t)ret->add + (uint64_t)at.displacement);
	if (at.base >= 0 && at.index < 0)
		return true;
	added = added_register(c, i, &at);
	if (added >= 0)
		*ret = sum_of(*ret, &w->now[added]);
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

static struct follower follow_from(const struct snippet_request *q,
				   struct snippet *s)
{
	struct follower ret = { .q = q, .s = s };

	for (int g = 0; g < N_GPRS; g++)
		ret.now[g] = (struct holding){ .what = HELD_FIRST,
					       .reg = (uint8_t)g,
					       .other = -1 };
	return ret;
}

static void follow_insn(struct follower *w, const struct insn *i)
{
	const struct catalogue *c = w->q->program->c;
	struct isa_address at;

	if (i->instance.form->access != 0 &&
	    c->isa->loop->address(c, &i->instance, &at))
		note_address(w, i, &at);
	pass_insn(w, i);
}

static void follow_once(const struct snippet_request *q, struct snippet *s)
{
	struct follower w = follow_from(q, s);

	for (size_t k = 0; k < s->n_order; k++)
		follow_insn(&w, &s->program.insns[s->order[k]]);
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

	for (size_t k = 0; k < s->n_called + s->n_insns; k++) {
		const struct insn *i = snippet_insn(s, k);
		struct snippet_uses u = snippet_uses(p->c, i);

		s->used |= u.reads | u.writes;
		for (int g = 0; g < N_GPRS; g++) {
			s->gprs[g].read |= u.reads >> g & 1;
			s->gprs[g].written |= u.writes >> g & 1;
		}
		s->returns |= i->returns;
		note_narrow(p->c, i, s);
	}
	follow_once(q, s);
	for (int g = 0; g < N_GPRS; g++)
		s->gprs[g].pointer = s->gprs[g].index = false;
	s->loads_addresses = false;
	follow_once(q, s);
	follow_once(q, s);
}

void snippet_holdings(const struct snippet_request *q, const struct snippet *s,
		      const struct insn *behind,
		      struct holding ret[SNIPPET_GPRS])
{
	struct snippet copy = *s;
	struct follower w = follow_from(q, &copy);

	for (size_t k = 0; k < s->n_order; k++) {
		const struct insn *i = &s->program.insns[s->order[k]];

		follow_insn(&w, i);
		if (i == behind)
			break;
	}
	memcpy(ret, w.now, sizeof(w.now));
}
