/* See snippet_path.h.
 *
 *	the code		a kernel that watches jump k
 *	...			...
 *	k: jump to T		   jump to W
 *				   bits = 2 bits
 *	...			...
 *	jump to the begin	   jump to the begin
 *				   jump to E
 *				W: bits = 2 bits + 1
 *				   jump to T
 *				E: the frame's end
 */
#include "host/campaign/snippet_path.h"

#include <string.h>

#include "host/base/file.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"
#include "host/predict/calls.h"

enum { N_GPRS = 32, MAX_ORDER = 1 << 16 };

/* ---- what is watched -------------------------------------------------------- */

/* Instructions with those of functions, which are in front. */
static size_t n_all(const struct snippet *s)
{
	return s->n_called + s->n_insns;
}

static bool leads_on(const struct insn *i)
{
	return i->jumps || i->calls;
}

/* The instruction that a jump or call goes to; n_all(): none, which ends the
 * loop. */
static size_t target_of(const struct snippet *s, size_t k)
{
	int64_t to = (int64_t)snippet_insn(s, k)->target -
		     (int64_t)(s->loop.first - s->n_called);

	return to < 0 || to >= (int64_t)n_all(s) ? n_all(s) : (size_t)to;
}

/* May it go two ways, both of which stay in the loop? */
static bool is_choice(const struct snippet *s, size_t k)
{
	return snippet_insn(s, k)->jumps && k + 1 < n_all(s) &&
	       target_of(s, k) < n_all(s) &&
	       target_of(s, k) != k + 1 && /* both ways are one */
	       snippet_is_conditional(s->program.c, snippet_insn(s, k));
}

/* Is there a loop inside, which would execute a jump many times in an
 * iteration? */
static bool has_inner_loop(const struct snippet *s)
{
	for (size_t k = 0; k < n_all(s); k++)
		if (snippet_insn(s, k)->jumps &&
		    target_of(s, k) != s->n_called && target_of(s, k) <= k)
			return true;
	return false;
}

/* How often an iteration executes the jump that it executes most often: each call of
 * its function is one. */
static int64_t most_executed(struct arena *a, const struct snippet *s)
{
	uint32_t *counts = ARENA_ARRAY(a, uint32_t, n_all(s));
	uint32_t most = 1;

	for (size_t k = 0; k < s->n_order; k++) {
		size_t i = s->order[k] - (s->loop.first - s->n_called);

		if (++counts[i] > most && snippet_insn(s, i)->jumps)
			most = counts[i];
	}
	return most;
}

/* A GPR that neither the code nor its frame uses; -1: there is none. */
static int free_register(const struct snippet_request *q,
			 const struct snippet *s)
{
	const struct isa_frame *f = q->program->c->isa->frame;
	uint32_t taken = s->used | f->reserved | s->init.reads |
			 s->init.writes | s->gen.frame.reset |
			 1u << s->gen.frame.counter | 1u << s->gen.frame.spare;

	if (f->link >= 0)
		taken |= 1u << f->link;
	for (int g = 0; g < N_GPRS; g++)
		if (!(taken >> g & 1))
			return g;
	return -1;
}

/* ---- kernels ------------------------------------------------------------------ */

/* What is inserted, decoded, and the program that it becomes part of. */
struct watching {
	struct arena *a;
	const struct snippet_request *q;
	const struct snippet *s;
	unsigned reg;
	int64_t trips; /* of the first length */
	struct program zero, one, count, jump;
	struct program p;
};

/* Behind a jump that is not taken, and where it goes if it is. */
struct inserted {
	const struct program *falls, *takes;
};

static int decode(struct watching *w, struct buffer *code, struct program *ret,
		  struct err *e)
{
	struct code bytes = { .name = "frame", .n = code->n };

	*ret = (struct program){ .c = w->q->program->c };
	bytes.bytes = buffer_take(w->a, code);
	return program_add_bytes(w->a, ret, &bytes, 0, DATA_REFUSED, e);
}

static int decode_all(struct watching *w, struct mc_parser *parser,
		      struct err *e)
{
	struct program *notes[] = { [FRAME_SHIFT_ZERO] = &w->zero,
				    [FRAME_SHIFT_ONE] = &w->one,
				    [FRAME_COUNT_ONE] = &w->count };
	const struct isa *isa = w->q->program->c->isa;
	struct buffer code = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(notes); i++)
		if (frame_note(isa, parser, w->reg, (enum frame_note)i, &code,
			       e) != ERR_OK ||
		    decode(w, &code, notes[i], e) != ERR_OK)
			return e->code;
	return frame_jump(isa, parser, &code, e) == ERR_OK
		       ? decode(w, &code, &w->jump, e)
		       : e->code;
}

static void append(struct watching *w, const struct insn *list, size_t n)
{
	if (n > 0)
		memcpy(w->p.insns + w->p.n, list, n * sizeof(*list));
	w->p.n += n;
}

/* To an instruction of the new program; -1: to the end. */
static void append_jump(struct watching *w, int32_t target)
{
	append(w, w->jump.insns, w->jump.n);
	w->p.insns[w->p.n - 1].jumps = true;
	w->p.insns[w->p.n - 1].target = target;
}

static int watched_code(struct watching *w, size_t jump,
			const struct inserted *x, struct snippet_bytes *ret,
			struct err *e)
{
	size_t n = n_all(w->s);
	int32_t *at = ARENA_ARRAY(w->a, int32_t, n + 1);

	w->p = (struct program){ .c = w->q->program->c };
	w->p.insns = ARENA_ARRAY(w->a, struct insn,
				 n + x->falls->n + x->takes->n + 2 * w->jump.n);
	for (size_t k = 0; k < n; k++) {
		at[k] = (int32_t)w->p.n;
		append(w, snippet_insn(w->s, k), 1);
		if (k == jump)
			append(w, x->falls->insns, x->falls->n);
	}
	at[n] = -1;
	append_jump(w, -1);
	for (size_t k = 0; k < n; k++)
		if (leads_on(snippet_insn(w->s, k)))
			w->p.insns[at[k]].target = at[target_of(w->s, k)];
	w->p.insns[at[jump]].target = (int32_t)w->p.n;
	append(w, x->takes->insns, x->takes->n);
	append_jump(w, at[target_of(w->s, jump)]);
	return snippet_encode_region(
		w->a,
		&(struct snippet_region){ .program = &w->p,
					  .n = w->p.n,
					  .may_call = w->q->pages,
					  .may_return = true },
		ret, e);
}

/* The kernel of the loop with what is inserted at a jump. */
static int watching_kernel(struct watching *w, const struct snippet_jump *j,
			   const struct inserted *x, struct gen_snippet *ret,
			   struct err *e)
{
	struct gen_snippet g = w->s->gen;
	int64_t more = (int64_t)g.bodies[1] - g.bodies[0];
	int64_t per_trip = (g.trip_first[1] - g.trip_first[0]) / more;
	struct snippet_bytes code;

	if (watched_code(w, j->insn, x, &code, e) != ERR_OK)
		return e->code;
	g.trip_first[0] -= ((int64_t)g.bodies[0] - w->trips) * per_trip;
	g.bodies[0] = (uint32_t)w->trips;
	g.frame.trip_step = 0;
	g.code = code.code;
	g.n = code.n;
	g.forms = code.forms;
	g.n_forms = w->p.n;
	g.instructions = 0;
	g.image.gpr[w->reg] = 1;
	g.image.gpr_is_memory &= ~(1u << w->reg);
	*ret = g;
	return ERR_OK;
}

int snippet_watch(struct arena *a, const struct snippet_request *q,
		  const struct snippet *s, struct mc_parser *parser,
		  struct snippet_watch *ret, struct err *e)
{
	struct watching w = { .a = a, .q = q, .s = s };
	size_t jumps[SNIPPET_MAX_JUMPS], n = 0;
	const struct program none = { .n = 0 };
	int reg = free_register(q, s);

	*ret = (struct snippet_watch){ .n = 0 };
	for (size_t k = 0; k < n_all(s); k++)
		if (is_choice(s, k) && n++ < SNIPPET_MAX_JUMPS)
			jumps[n - 1] = k;
	ret->plain = n == 0;
	w.trips = SNIPPET_WATCHED / most_executed(a, s);
	if (s->gen.bodies[0] < w.trips)
		w.trips = s->gen.bodies[0];
	ret->trips = ret->plain ? SNIPPET_WATCHED : w.trips;
	if (!s->own_loop || n == 0 || n > SNIPPET_MAX_JUMPS || reg < 0 ||
	    has_inner_loop(s) || w.trips == 0)
		return ERR_OK;
	w.reg = ret->reg = (unsigned)reg;
	ret->jumps = ARENA_ARRAY(a, struct snippet_jump, n);
	if (decode_all(&w, parser, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++) {
		struct snippet_jump *j = &ret->jumps[i];

		j->insn = jumps[i];
		if (watching_kernel(&w, j,
				    &(struct inserted){ &w.zero, &w.one },
				    &j->shifting, e) != ERR_OK ||
		    watching_kernel(&w, j,
				    &(struct inserted){ &none, &w.count },
				    &j->counting, e) != ERR_OK)
			return e->code;
	}
	ret->n = n;
	return ERR_OK;
}

/* ---- the path ------------------------------------------------------------------ */

/* Bits below the highest 1. */
static unsigned n_bits(uint64_t x)
{
	unsigned n = 0;

	while (x >>= 1)
		n++;
	return n;
}

/* The walk through the loop: bits of each jump, the first executed on top. */
struct path_walk {
	const struct snippet *s;
	const struct snippet_watch *w;
	unsigned left[SNIPPET_MAX_JUMPS];
	size_t behind[CALLS_MAX_DEPTH]; /* where returns go */
	size_t depth;
};

static size_t watched(const struct path_walk *x, size_t k)
{
	size_t i = 0;

	while (i < x->w->n && x->w->jumps[i].insn != k)
		i++;
	return i;
}

/* Behind a call or a return; n_all(): too many calls, or none to return from. */
static size_t next_called(struct path_walk *x, size_t k)
{
	if (snippet_insn(x->s, k)->returns)
		return x->depth > 0 ? x->behind[--x->depth] : n_all(x->s);
	if (x->depth == CALLS_MAX_DEPTH)
		return n_all(x->s);
	x->behind[x->depth++] = k + 1;
	return target_of(x->s, k);
}

/* The instruction behind k; n_all(): the loop ends, or the bits do. */
static size_t next_insn(struct path_walk *x, size_t k)
{
	const struct insn *insn = snippet_insn(x->s, k);
	size_t i = watched(x, k), n = n_all(x->s);
	bool taken;

	if (insn->calls || insn->returns)
		return next_called(x, k);
	if (!insn->jumps)
		return k + 1;
	if (i == x->w->n) {
		/* The last jump goes back, and one that leaves does not. */
		taken = k + 1 == n ||
			!snippet_is_conditional(x->s->program.c, insn);
	} else {
		if (x->left[i] == 0)
			return n;
		taken = x->w->jumps[i].first >> --x->left[i] & 1;
	}
	return taken ? target_of(x->s, k) : k + 1;
}

/* All instructions of the run's iterations, as those of the program. */
static size_t walk_all(struct path_walk *x, uint32_t order[MAX_ORDER])
{
	size_t n = 0, main = x->s->n_called, k = main;

	for (int64_t trips = 0; n < MAX_ORDER && k < n_all(x->s);) {
		order[n++] = (uint32_t)(x->s->loop.first - main + k);
		trips += k == main;
		/* The region calls itself: its iterations do not end. */
		if (k == main && x->depth > 0)
			return 0;
		if (trips > x->w->trips)
			break;
		k = next_insn(x, k);
	}
	return n;
}

/* How a jump went when it was executed for the i-th time of a period. */
struct ways {
	size_t n;
	bool taken[64];
};

static struct ways ways_of(const struct path_walk *x, const struct executed *p,
			   size_t jump)
{
	size_t first = x->s->loop.first - x->s->n_called;
	uint32_t at = (uint32_t)(first + x->w->jumps[jump].insn);
	size_t to = first + target_of(x->s, x->w->jumps[jump].insn);
	struct ways ret = { .n = 0 };

	for (size_t i = 0; i < p->n && ret.n < ARRAY_LEN(ret.taken); i++)
		if (p->insns[i] == at)
			ret.taken[ret.n++] = p->insns[(i + 1) % p->n] == to;
	return ret;
}

/* The longest run: how often a jump was executed, but for one period. */
struct long_run {
	uint64_t last, taken; /* as of struct snippet_jump */
	uint64_t executed;
};

/* Do its last ways repeat the period, but for the very last, and was the jump taken
 * as often, but for a period or two? */
static bool goes_on(const struct ways *x, const struct long_run *run)
{
	/* SOME: ways of the first iterations, which may be others. */
	enum { BITS = 63, SOME = 4 };
	size_t n = run->executed < BITS ? (size_t)run->executed : BITS;
	uint64_t ones = 0, taken = run->taken - 1;

	if (x->n == 0)
		return taken <= SOME;
	for (size_t i = 0; i < x->n; i++)
		ones += x->taken[i];
	if (taken + SOME < run->executed / x->n * ones ||
	    taken > (run->executed / x->n + 2) * ones + SOME)
		return false;
	for (size_t shift = 0; shift < x->n; shift++) {
		bool same = true;

		for (size_t i = 1; i < n && same; i++)
			same = (run->last >> i & 1) ==
			       x->taken[(x->n * BITS + shift - i) % x->n];
		if (same)
			return true;
	}
	return false;
}

/* Of a copy of straight code. */
static struct snippet_path straight_path(struct path_walk *x,
					 uint32_t order[MAX_ORDER])
{
	struct snippet_path ret = { .state = SNIPPET_PATH_UNKNOWN };
	size_t main = x->s->n_called, n = 0, k;

	for (k = main; k < n_all(x->s); k = next_insn(x, k)) {
		if (n == MAX_ORDER)
			return ret;
		order[n++] = (uint32_t)(x->s->loop.first - main + k);
	}
	/* It ended at its last instruction, and jumped over none. */
	if (x->depth > 0 || n == 0)
		return ret;
	ret.state = SNIPPET_PATH_FOUND;
	ret.executed =
		(struct executed){ .n = n, .insns = order, .n_iterations = 1 };
	for (k = 0; k < n && order[k] == x->s->loop.first + k;)
		k++;
	if (k == n && n == x->s->n_insns)
		ret.executed.n = 0;
	return ret;
}

struct snippet_path snippet_path(struct arena *a, const struct snippet *s,
				 const struct snippet_watch *w)
{
	struct path_walk x = { .s = s, .w = w };
	uint32_t *order = ARENA_ARRAY(a, uint32_t, MAX_ORDER);
	struct snippet_path ret = { .state = SNIPPET_PATH_UNKNOWN };
	enum executed_result found;
	struct executed plain = { .n = 0 };

	if (!s->own_loop)
		return straight_path(&x, order);
	for (size_t i = 0; i < w->n; i++)
		x.left[i] = n_bits(w->jumps[i].first);
	found = executed_find(a, &s->loop, order, walk_all(&x, order),
			      &ret.executed);
	if (found == EXECUTED_VARIES)
		ret.state = SNIPPET_PATH_VARIES;
	if (found != EXECUTED_FOUND)
		return ret;
	ret.state = SNIPPET_PATH_FOUND;
	plain = ret.executed;
	if (plain.n == 0) {
		uint32_t *all = ARENA_ARRAY(a, uint32_t, s->n_insns);

		for (size_t k = 0; k < s->n_insns; k++)
			all[k] = (uint32_t)(s->loop.first + k);
		plain.n = s->n_insns;
		plain.insns = all;
	}
	for (size_t i = 0; i < w->n; i++) {
		struct ways ways = ways_of(&x, &plain, i);
		uint64_t periods =
			s->gen.bodies[PACK_LENGTHS - 1] / plain.n_iterations;
		const struct long_run run = {
			.last = w->jumps[i].last,
			.taken = w->jumps[i].taken,
			.executed = (periods - 1) * ways.n,
		};

		if (!goes_on(&ways, &run))
			ret.state = SNIPPET_PATH_VARIES;
	}
	return ret;
}
