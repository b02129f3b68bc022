/* Own code that calls functions of its own; see snippet.h.
 *
 *	jump to the region
 *	a function, at its place in a line of code
 *	...
 *	the region; of straight code, copies of it
 *
 * A function is all that may be executed from where a call goes up to returns.  The
 * region itself is not part of one: a function that runs into the region gets a copy
 * of it. */
#include <assert.h>
#include <string.h>

#include "host/base/file.h"
#include "host/campaign/snippet.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"
#include "host/predict/calls.h"

struct gathering {
	struct arena *a;
	const struct program *p;
	struct loop region; /* of p */
	struct calls calls;
	struct snippet *s;
};

/* The instruction of a function, in the snippet's program. */
static int32_t called_index(const struct gathering *g, int64_t k)
{
	size_t low = 0, high = g->calls.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (g->calls.insns[mid] < k)
			low = mid + 1;
		else
			high = mid;
	}
	return (int32_t)low + 1;
}

/* An instruction of the region, which begins at `first` of the new program. */
static struct insn of_region(const struct gathering *g, size_t k, size_t first)
{
	struct insn i = g->p->insns[k];

	if (loop_has(&g->region, i.target))
		i.target =
			(int32_t)(first + (size_t)i.target - g->region.first);
	else if (i.calls && i.target >= 0)
		i.target = called_index(g, i.target);
	else
		i.target = -1;
	return i;
}

/* The jump over the functions. */
static int put_jump(struct gathering *g, struct mc_parser *parser,
		    struct insn *ret, struct err *e)
{
	struct program one = { .c = g->p->c };
	struct buffer code = { 0 };
	struct code bytes = { .name = "jump" };

	if (frame_jump(g->p->c->isa, parser, &code, e) == ERR_OK) {
		bytes.n = code.n;
		bytes.bytes = code.bytes;
		if (program_add_bytes(g->a, &one, &bytes, 0, DATA_REFUSED, e) ==
		    ERR_OK) {
			assert(one.n == 1);
			*ret = one.insns[0];
			ret->target = (int32_t)(1 + g->calls.n);
		}
	}
	buffer_free(&code);
	return e->code;
}

/* Is a function called there?  Nothing may run into it from before. */
static bool is_head(const struct gathering *g, const uint8_t *heads, size_t i)
{
	size_t k = g->calls.insns[i];

	return heads[i + 1] && (i == 0 || g->calls.insns[i - 1] + 1 != k ||
				g->p->insns[k - 1].returns ||
				!calls_falls(g->p, &g->p->insns[k - 1]));
}

static const int8_t *find_places(const struct gathering *g,
				 const struct snippet_request *q,
				 const struct program *to)
{
	int8_t *ret = ARENA_ARRAY(g->a, int8_t, to->n);
	uint8_t *heads = ARENA_ARRAY(g->a, uint8_t, to->n);

	for (size_t k = 0; k < to->n; k++) {
		ret[k] = -1;
		if (to->insns[k].calls && to->insns[k].target >= 0)
			heads[to->insns[k].target] = 1;
	}
	for (size_t i = 0; i < g->calls.n; i++)
		if (is_head(g, heads, i))
			ret[i + 1] =
				(int8_t)(g->p->placed
						 ? to->insns[i + 1].address %
							   PROGRAM_LINE
						 : 0);
	ret[1 + g->calls.n] = (int8_t)snippet_place_in_line(q);
	return ret;
}

static int check_calls(struct gathering *g, struct err *e)
{
	const struct calls *c = &g->calls;

	if (c->too_many)
		return err_set(e, ERR_INPUT,
			       "the functions that the code calls have more "
			       "than %d instructions",
			       CALLS_MAX_INSNS);
	if (c->lost_at >= 0) {
		const struct insn *i = &g->p->insns[c->lost_at];

		return err_set(e, ERR_INPUT,
			       "%s: '%s' leaves the code: no instruction "
			       "follows it, or its target is unknown; code "
			       "that is measured must stay inside",
			       snippet_place(g->a, g->p, i),
			       i->text ? i->text : "");
	}
	return ERR_OK;
}

static int put_all(struct gathering *g, const struct snippet_request *q,
		   struct err *e)
{
	size_t n = g->region.last - g->region.first + 1;
	struct program to = *g->p;

	struct insn jump;

	if (put_jump(g, q->parser, &jump, e) != ERR_OK)
		return e->code;
	to.n = to.room = 1 + g->calls.n + n;
	to.n_labels = 0;
	to.insns = ARENA_ARRAY(g->a, struct insn, to.n);
	to.insns[0] = jump;
	for (size_t i = 0; i < g->calls.n; i++) {
		struct insn x = g->p->insns[g->calls.insns[i]];

		if (x.target >= 0)
			x.target = called_index(g, x.target);
		to.insns[1 + i] = x;
	}
	for (size_t k = 0; k < n; k++)
		to.insns[1 + g->calls.n + k] =
			of_region(g, g->region.first + k, 1 + g->calls.n);
	g->s->places = find_places(g, q, &to);
	g->s->program = to;
	g->s->n_called = 1 + g->calls.n;
	g->s->loop.first = g->s->n_called;
	g->s->loop.last = to.n - 1;
	g->s->loop.closed = g->s->own_loop;
	return ERR_OK;
}

/* The order of a body: without a path that is known, all of it as it stands. */
static void find_order(struct arena *a, struct snippet *s)
{
	const struct loop l = { .first = s->loop.first,
				.last = s->loop.first + s->n_insns - 1 };
	struct executed x = calls_path(a, &s->program, &l).executed;
	uint32_t *order;

	s->order = x.insns;
	s->n_order = x.n;
	if (x.n > 0)
		return;
	s->n_order = s->n_insns + (s->n_called > 0 ? s->n_called - 1 : 0);
	order = ARENA_ARRAY(a, uint32_t, s->n_order);
	for (size_t k = 0; k < s->n_order; k++)
		order[k] =
			(uint32_t)(s->loop.first + s->n_insns - s->n_order + k);
	s->order = order;
}

int snippet_gather(struct arena *a, const struct snippet_request *q,
		   struct snippet *s, struct err *e)
{
	const struct loop *l = q->loop;
	size_t n = l->last - l->first + 1;
	struct gathering g = { .a = a, .p = q->program, .s = s };

	s->own_loop = q->mode != SNIPPET_UNROLL && l->closed;
	if (q->mode == SNIPPET_LOOP && !l->closed)
		return err_set(e, ERR_INPUT,
			       "%s: the code does not end in a branch to its "
			       "begin; use --mode unroll",
			       q->name);
	if (l->closed && !s->own_loop)
		n--;
	if (n == 0)
		return err_set(e, ERR_INPUT, "%s: no instructions", q->name);
	s->program = *q->program;
	s->loop = *l;
	s->n_insns = n;
	g.region.first = l->first;
	g.region.last = l->first + n - 1;
	g.calls = calls_find(a, q->program, &g.region);
	if (check_calls(&g, e) != ERR_OK ||
	    (g.calls.n > 0 && put_all(&g, q, e) != ERR_OK))
		return e->code;
	find_order(a, s);
	return ERR_OK;
}

/* ---- straight code ------------------------------------------------------------ */

/* So many copies behind the functions. */
static struct program copies_of(struct arena *a, const struct snippet *s,
				size_t copies)
{
	size_t from = s->n_called, n = s->n_insns;
	struct program to = s->program;

	to.n = to.room = from + copies * n;
	to.insns = ARENA_ARRAY(a, struct insn, to.n);
	memcpy(to.insns, s->program.insns, from * sizeof(*to.insns));
	for (size_t c = 0; c < copies; c++)
		for (size_t k = 0; k < n; k++) {
			struct insn i = s->program.insns[from + k];

			/* What leaves a copy goes to the next one. */
			if (i.target >= (int32_t)from)
				i.target += (int32_t)(c * n);
			else if (i.jumps)
				i.target =
					c + 1 < copies
						? (int32_t)(from + (c + 1) * n)
						: -1;
			to.insns[from + c * n + k] = i;
		}
	return to;
}

int snippet_copy(struct arena *a, const struct snippet_request *q,
		 struct snippet *s, struct err *e)
{
	const uint32_t main = s->offsets[s->n_called];
	int8_t *places;

	if (s->own_loop || s->n_called == 0)
		return ERR_OK;
	for (int i = 0; i < PACK_LENGTHS; i++) {
		struct program all = copies_of(a, s, s->gen.bodies[i]);
		struct snippet_bytes bytes;

		/* All functions are where they are with one copy. */
		places = ARENA_ARRAY(a, int8_t, all.n);
		for (size_t k = 0; k < all.n; k++)
			places[k] =
				k <= s->n_called
					? (int8_t)(s->offsets[k] % PROGRAM_LINE)
					: -1;
		if (snippet_encode_region(
			    a,
			    &(struct snippet_region){ .program = &all,
						      .n = all.n,
						      .may_call = q->pages,
						      .places = places,
						      .n_called = s->n_called,
						      .may_return = true },
			    &bytes, e) != ERR_OK)
			return e->code;
		if (bytes.offsets[s->n_called] != main)
			return err_set(e, ERR_INPUT,
				       "%s: the code is too long to repeat",
				       q->name);
		s->gen.whole[i].code = bytes.code;
		s->gen.whole[i].n = bytes.n;
	}
	return ERR_OK;
}
