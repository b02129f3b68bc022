/* See calls.h. */
#include "host/fake/calls.h"

#include <stdlib.h>
#include <string.h>

#include "host/isa/guest.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"

enum { MAX_DEPTH = 64, MAX_EXECUTED = 1 << 20 };

/* Where an op goes. */
struct transfer {
	bool calls, returns, jumps, falls;
	int64_t offset;
};

static struct transfer transfer_of(const struct catalogue *c,
				   const struct fake_op *op)
{
	struct transfer ret = { .falls = true };
	struct instance i = { 0 };

	if (instance_decode(c, op->bytes, op->n_bytes, &i) == 0 || !i.form)
		return ret;
	ret.jumps = c->isa->loop->jump(c, &i, op->n_bytes, &ret.offset);
	ret.returns = c->isa->guest->returns(c, &i);
	if (c->isa->guest->call(c, &i, op->n_bytes, &ret.offset))
		ret.calls = ret.offset != 0;
	ret.falls = ret.calls ||
		    !name_matches_any(c->isa->guest->stops, i.form->name);
	return ret;
}

struct follower {
	const struct fake_op *ops;
	const uint16_t *sequence;
	size_t n;
	struct transfer *transfers; /* of each op of the sequence */
	uint32_t *at;               /* its byte; one more is the end */
	uint32_t *executed;         /* when it was, but for calls */
	size_t behind[MAX_DEPTH], depth;
	struct fake_inner_loop loop;
	bool ends; /* a second op jumps back */
};

/* The end of the code is a return of its frame. */
static bool is_last(const struct follower *f, size_t k)
{
	return k + 1 == f->n;
}

/* The op that begins at a byte; n: none does. */
static size_t op_at(const struct follower *f, int64_t byte)
{
	for (size_t k = 0; k < f->n; k++)
		if (f->at[k] == byte)
			return k;
	return f->n;
}

/* The op behind op k, which is executed as the n-th; more than f->n: a call too
 * many, or a return. */
static size_t op_behind(struct follower *f, size_t k, size_t n)
{
	const struct transfer *t = &f->transfers[k];
	size_t to = t->calls || t->jumps
			    ? op_at(f, (int64_t)f->at[k] + t->offset)
			    : k;

	if (t->returns && f->depth == 0)
		return is_last(f, k) ? f->n : f->n + 1;
	if (t->returns)
		return f->behind[--f->depth];
	if (t->calls) {
		if (f->depth == MAX_DEPTH || to == f->n)
			return f->n + 1;
		f->behind[f->depth++] = k + 1;
		return to;
	}
	if (t->jumps && t->offset < 0 && f->depth == 0) {
		f->ends |= f->loop.last > 0;
		if (!f->ends)
			f->loop = (struct fake_inner_loop){
				to < f->n ? f->executed[to] : 0, n
			};
		return k + 1;
	}
	return t->jumps && !t->falls ? to : k + 1;
}

static bool follow(struct follower *f, struct buffer *ret)
{
	size_t n = 0;

	for (size_t k = 0; k != f->n; n++) {
		size_t at = k;

		if (k > f->n || n == MAX_EXECUTED)
			return false;
		if (f->depth == 0)
			f->executed[k] = (uint32_t)n;
		buffer_add(ret, &f->sequence[k], sizeof(*f->sequence));
		k = op_behind(f, at, n);
	}
	return true;
}

/* Does it go on behind what follows, in any case? */
static bool skips(const struct transfer *t)
{
	return t->jumps && !t->falls && !t->calls && !t->returns &&
	       t->offset > 0;
}

static bool any_calls(const struct catalogue *c, struct follower *f)
{
	bool ret = false;

	for (size_t k = 0; k < f->n; k++) {
		f->transfers[k] = transfer_of(c, &f->ops[f->sequence[k]]);
		f->at[k + 1] =
			f->at[k] + (uint32_t)f->ops[f->sequence[k]].n_bytes;
		ret |= f->transfers[k].calls ||
		       (f->transfers[k].returns && !is_last(f, k)) ||
		       skips(&f->transfers[k]);
	}
	return ret;
}

enum fake_calls fake_follow_calls(const struct catalogue *c,
				  const struct fake_op *ops,
				  struct buffer *sequence,
				  struct fake_inner_loop *ret)
{
	struct arena a = { 0 };
	struct follower f = { .ops = ops,
			      .sequence = (const void *)sequence->bytes,
			      .n = sequence->n / sizeof(uint16_t) };
	struct buffer all = { 0 };
	enum fake_calls what = FAKE_CALLS_NONE;

	f.transfers = ARENA_ARRAY(&a, struct transfer, f.n + 1);
	f.at = ARENA_ARRAY(&a, uint32_t, f.n + 1);
	f.executed = ARENA_ARRAY(&a, uint32_t, f.n + 1);
	if (any_calls(c, &f))
		what = follow(&f, &all) ? FAKE_CALLS_FOLLOWED : FAKE_CALLS_LOST;
	if (what == FAKE_CALLS_FOLLOWED) {
		buffer_free(sequence);
		*sequence = all;
		*ret = f.ends ? f.loop : (struct fake_inner_loop){ .last = 0 };
	} else {
		buffer_free(&all);
	}
	arena_free(&a);
	return what;
}
