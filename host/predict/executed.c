/* An iteration is what is executed from one time at the first instruction of the
 * loop to the next.  Iterations that differ are a path if they repeat with a
 * period. */
#include "host/predict/executed.h"

#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"

enum {
	MAX_PERIOD = 16,  /* iterations */
	REPEATS = 3,      /* of a period that counts */
	MAX_INSNS = 1024, /* of a path */
};

/* Iterations begin at order[starts[i]], n of them; the last one has no end. */
struct iterations {
	const uint32_t *order;
	const size_t *starts;
	size_t n;
};

static bool is_same(const struct iterations *l, size_t a, size_t b)
{
	size_t n = l->starts[a + 1] - l->starts[a];

	return l->starts[b + 1] - l->starts[b] == n &&
	       memcmp(l->order + l->starts[a], l->order + l->starts[b],
		      n * sizeof(*l->order)) == 0;
}

/* The least period of the last whole iterations; 0: none. */
static size_t period_of(const struct iterations *l)
{
	for (size_t period = 1; period <= MAX_PERIOD; period++) {
		size_t n = (REPEATS - 1) * period, i = 0;

		if (l->n < n + period + 1)
			return 0;
		while (i < n && is_same(l, l->n - 2 - i, l->n - 2 - i - period))
			i++;
		if (i == n)
			return period;
	}
	return 0;
}

static bool is_plain(const struct loop *loop, const struct executed *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->insns[i] != loop->first + i)
			return false;
	return p->n_iterations == 1 && p->n == loop->last - loop->first + 1;
}

enum executed_result executed_find(struct arena *a, const struct loop *loop,
				   const uint32_t *order, size_t n,
				   struct executed *ret)
{
	size_t *starts = ARENA_ARRAY(a, size_t, n + 1);
	struct iterations l = { .order = order, .starts = starts };
	struct executed p = { 0 };
	size_t from;

	for (size_t i = 0; i < n; i++)
		if (order[i] == loop->first)
			starts[l.n++] = i;
	p.n_iterations = period_of(&l);
	if (p.n_iterations == 0)
		return l.n > REPEATS * MAX_PERIOD ? EXECUTED_VARIES
						  : EXECUTED_UNKNOWN;
	from = starts[l.n - 1 - p.n_iterations];
	p.n = starts[l.n - 1] - from;
	p.insns = order + from;
	for (size_t i = 0; i < p.n; i++)
		if (p.insns[i] == UINT32_MAX)
			return EXECUTED_UNKNOWN;
	if (is_plain(loop, &p))
		p.n = 0;
	if (p.n > MAX_INSNS)
		return EXECUTED_UNKNOWN;
	p.insns = arena_copy(a, p.insns, p.n * sizeof(*p.insns));
	*ret = p;
	return EXECUTED_FOUND;
}

/* ---- jumps that depend on nothing ---------------------------------------- */

static bool depends(const struct form *f)
{
	for (int k = 0; k < f->n_operands; k++)
		if (f->operands[k].read && f->operands[k].kind == OPERAND_REG)
			return true;
	return false;
}

/* Does the instruction go on at its target in any case? */
static bool always_jumps(const struct program *p, const struct insn *i)
{
	const struct isa_loop *rules = p->c->isa->loop;
	int64_t offset;

	return i->jumps && i->target >= 0 && i->instance.form && rules->jump &&
	       rules->jump(p->c, &i->instance, i->n_code, &offset) &&
	       !depends(i->instance.form);
}

bool executed_follow(struct arena *a, const struct program *p,
		     const struct loop *loop, struct executed *ret)
{
	size_t n = 0, room = loop->last - loop->first + 1, at = loop->first;
	uint32_t *insns = ARENA_ARRAY(a, uint32_t, room);

	for (; at < loop->last && n + 1 < room; n++) {
		const struct insn *i = &p->insns[at];

		insns[n] = (uint32_t)at;
		at = always_jumps(p, i) ? (size_t)i->target : at + 1;
		/* Back, or out of the loop. */
		if (at <= insns[n] || at > loop->last)
			return false;
	}
	insns[n++] = (uint32_t)loop->last;
	if (at != loop->last || n == room)
		return false;
	*ret = (struct executed){ .n = n, .insns = insns, .n_iterations = 1 };
	return true;
}

int64_t executed_varying(const struct program *p, const struct loop *loop)
{
	for (size_t k = loop->first; k < loop->last; k++) {
		const struct insn *i = &p->insns[k];

		if (i->jumps && i->target != (int64_t)k + 1 &&
		    loop_has(loop, i->target) && !always_jumps(p, i))
			return (int64_t)k;
	}
	return -1;
}

/* ---- a program --------------------------------------------------------- */

/* A branch is taken if the next instruction is not behind it; the last one goes
 * back to the first. */
static uint32_t count_taken(const struct program *p)
{
	uint32_t n = 1;

	for (size_t i = 1; i < p->n; i++)
		n += p->insns[i].address !=
		     p->insns[i - 1].address + p->insns[i - 1].n_code;
	return n;
}

void executed_program(struct arena *a, const struct program *from,
		      const struct executed *p, struct program *ret,
		      struct loop *ret_loop)
{
	*ret = (struct program){ .c = from->c,
				 .placed = from->placed,
				 .n = p->n,
				 .insns = ARENA_ARRAY(a, struct insn, p->n) };
	for (size_t i = 0; i < p->n; i++)
		ret->insns[i] = from->insns[p->insns[i]];
	*ret_loop = (struct loop){ .last = p->n - 1,
				   .label = "",
				   .closed = true,
				   .n_taken = count_taken(ret) };
}
