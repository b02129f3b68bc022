/* See calls.h. */
#include "host/predict/calls.h"

#include <string.h>

#include "host/isa/guest.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"

bool calls_falls(const struct program *p, const struct insn *i)
{
	const struct form *f = i->instance.form;

	return i->calls || !f ||
	       !name_matches_any(p->c->isa->guest->stops, f->name);
}

/* Does it call a function outside the loop? */
static bool calls_out(const struct insn *i, const struct loop *l)
{
	return i->calls && i->target >= 0 && !loop_has(l, i->target);
}

/* ---- functions -------------------------------------------------------------- */

struct calls_finder {
	const struct program *p;
	uint8_t *seen; /* of each instruction */
	uint32_t *list;
	struct calls ret;
};

static void reach(struct calls_finder *f, const struct insn *from, int64_t k)
{
	if (k < 0 || k >= (int64_t)f->p->n || !f->p->insns[k].instance.form) {
		if (f->ret.lost_at < 0)
			f->ret.lost_at = from - f->p->insns;
		return;
	}
	if (f->seen[k])
		return;
	if (f->ret.n == CALLS_MAX_INSNS) {
		f->ret.too_many = true;
		return;
	}
	f->seen[k] = 1;
	f->list[f->ret.n++] = (uint32_t)k;
}

static void reach_next(struct calls_finder *f, const struct insn *i)
{
	if (i->jumps || i->calls)
		reach(f, i, i->target);
	if (!i->returns && calls_falls(f->p, i))
		reach(f, i, i - f->p->insns + 1);
	else if (!i->returns && !i->jumps)
		reach(f, i, -1); /* to an address in a register */
}

struct calls calls_find(struct arena *a, const struct program *p,
			const struct loop *l)
{
	struct calls_finder f = { .p = p, .ret = { .lost_at = -1 } };
	uint32_t *sorted;
	size_t n = 0;

	for (size_t k = l->first; k <= l->last && !f.seen; k++)
		if (calls_out(&p->insns[k], l)) {
			f.seen = ARENA_ARRAY(a, uint8_t, p->n);
			f.list = ARENA_ARRAY(a, uint32_t, CALLS_MAX_INSNS);
		}
	if (!f.seen)
		return f.ret;
	for (size_t k = l->first; k <= l->last; k++)
		if (calls_out(&p->insns[k], l))
			reach(&f, &p->insns[k], p->insns[k].target);
	/* The list grows while it is read. */
	for (size_t i = 0; i < f.ret.n; i++)
		reach_next(&f, &p->insns[f.list[i]]);
	sorted = ARENA_ARRAY(a, uint32_t, f.ret.n + 1);
	for (size_t k = 0; k < p->n; k++)
		if (f.seen[k])
			sorted[n++] = (uint32_t)k;
	f.ret.insns = sorted;
	return f.ret;
}

/* ---- a path --------------------------------------------------------------- */

struct calls_walk {
	const struct program *p;
	const struct loop *l;
	uint32_t *insns;
	size_t n, room;
	uint32_t behind[CALLS_MAX_DEPTH]; /* where returns go */
	size_t depth;
	int64_t lost_at, loops_at; /* of struct calls_path */
};

static bool is_insn(const struct program *p, int64_t k)
{
	return k >= 0 && k < (int64_t)p->n;
}

/* Inside a function a loop is one whose jump goes back on a condition. */
static void see_jump(struct calls_walk *w, int64_t k)
{
	const struct insn *i = &w->p->insns[k];

	if (w->depth > 0 && i->jumps && calls_falls(w->p, i) &&
	    i->target >= 0 && i->target <= k && w->loops_at < 0)
		w->loops_at = k;
}

/* The next instruction of a function, and of the loop behind its last return; -1:
 * there is none. */
static int64_t next_of(struct calls_walk *w, int64_t k)
{
	const struct insn *i = &w->p->insns[k];

	if (i->returns)
		return w->depth > 0 ? (int64_t)w->behind[--w->depth] : -1;
	if (w->depth > 0 && !i->calls && !calls_falls(w->p, i))
		return i->jumps ? i->target : -1;
	if (i->calls && !is_insn(w->p, i->target)) {
		if (w->lost_at < 0)
			w->lost_at = k;
		return k + 1;
	}
	if (!(w->depth > 0 ? i->calls : calls_out(i, w->l)))
		return k + 1;
	if (w->depth == CALLS_MAX_DEPTH)
		return -1;
	w->behind[w->depth++] = (uint32_t)(k + 1);
	return i->target;
}

/* False: it is lost behind w->lost_at. */
static bool walk(struct calls_walk *w)
{
	const struct loop *l = w->l;
	int64_t k = (int64_t)l->first, from = k;

	while (w->depth > 0 || k <= (int64_t)l->last) {
		if (!is_insn(w->p, k) || w->n == w->room ||
		    (w->depth == 0 && k < (int64_t)l->first)) {
			w->lost_at = from;
			return false;
		}
		w->insns[w->n++] = (uint32_t)k;
		see_jump(w, k);
		from = k;
		k = next_of(w, k);
	}
	return true;
}

struct calls_path calls_path(struct arena *a, const struct program *p,
			     const struct loop *l)
{
	struct calls_walk w = { .p = p, .l = l, .lost_at = -1, .loops_at = -1 };
	struct calls_path ret = { .lost_at = -1, .loops_at = -1 };
	bool any = false;

	for (size_t k = l->first; k <= l->last; k++) {
		any |= calls_out(&p->insns[k], l);
		if (p->insns[k].calls && !is_insn(p, p->insns[k].target) &&
		    ret.lost_at < 0)
			ret.lost_at = (int64_t)k;
	}
	if (!any)
		return ret;
	w.room = l->last - l->first + 1 + CALLS_MAX_INSNS;
	w.insns = ARENA_ARRAY(a, uint32_t, w.room);
	if (walk(&w))
		ret.executed = (struct executed){ .n = w.n,
						  .insns = w.insns,
						  .n_iterations = 1 };
	ret.lost_at = w.lost_at;
	ret.loops_at = w.loops_at;
	return ret;
}
