/* Walks through a program's blocks; see walk.h. */
#include "host/estimate/walk.h"

enum { WALK_CALLS = 64, WALK_PERIODS = 2 };

struct walker {
	const struct flow *f;
	double *credit; /* of each edge */
	uint32_t calls[WALK_CALLS];
	size_t n_calls;
};

static uint32_t walk_along(struct walker *w, uint32_t from)
{
	const struct flow *f = w->f;
	size_t best = f->first[from];
	double all = 0;

	for (size_t i = f->first[from]; i < f->first[from + 1]; i++) {
		double weight = (f->edges[i].least + f->edges[i].most) / 2;

		w->credit[i] += weight;
		all += weight;
		if (w->credit[i] > w->credit[best])
			best = i;
	}
	if (all <= 0)
		return FLOW_NONE;
	w->credit[best] -= all;
	return f->edges[best].to;
}

/* A function that returns to an unknown place is called again. */
static uint32_t walk_again(const struct walker *w, uint32_t from)
{
	const struct profile_block *b = &w->f->p->blocks[from];

	return b->symbol ? flow_block_at(w->f->p, b->address - b->symbol_offset)
			 : FLOW_NONE;
}

static uint32_t walk_next(struct walker *w, uint32_t from)
{
	const struct profile_block *b = &w->f->p->blocks[from];
	uint32_t to = walk_along(w, from);

	if (b->calls && to != FLOW_NONE && w->n_calls < WALK_CALLS)
		w->calls[w->n_calls++] =
			flow_block_at(w->f->p, b->address + b->n_code);
	else if (b->calls && to == FLOW_NONE)
		to = flow_block_at(w->f->p, b->address + b->n_code);
	else if (to == FLOW_NONE && w->n_calls > 0)
		to = w->calls[--w->n_calls];
	else if (to == FLOW_NONE)
		to = walk_again(w, from);
	return to;
}

/* The shortest period of a walk that holds WALK_PERIODS times; 0: none. */
static size_t period_of(const struct walk *w)
{
	for (size_t n = 1; n * WALK_PERIODS <= w->n; n++) {
		size_t i = 0;

		while (i + n < w->n && w->blocks[i] == w->blocks[i + n])
			i++;
		if (i + n == w->n)
			return n;
	}
	return 0;
}

/* Index of the last return to the first block; 0: none. */
static size_t last_return(const struct walk *w)
{
	size_t i = w->n;

	while (i-- > 1)
		if (w->blocks[i] == w->blocks[0])
			return i;
	return 0;
}

/* Does the walk come to its i-th block without a jump? */
static bool falls_into(const struct profile *p, const struct walk *w, size_t i)
{
	const struct profile_block *before;

	if (i == 0 && !w->repeats)
		return false;
	before = &p->blocks[w->blocks[i > 0 ? i - 1 : w->n - 1]];
	return before->address + before->n_code ==
	       p->blocks[w->blocks[i]].address;
}

/* Lines of code in the order in which they are fetched: what is behind a taken
 * jump is fetched again. */
static size_t count_lines(const struct profile *p, const struct walk *w)
{
	const struct profile_block *end = &p->blocks[w->blocks[w->n - 1]];
	uint64_t last = (end->address + end->n_code - 1) / WALK_LINE;
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct profile_block *b = &p->blocks[w->blocks[i]];
		uint64_t first = b->address / WALK_LINE;
		bool same = falls_into(p, w, i) && first == last;

		last = (b->address + b->n_code - 1) / WALK_LINE;
		n += last - first + !same;
	}
	return n;
}

/* No block is there twice. */
static bool is_simple(const struct walk *w)
{
	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; k < i; k++)
			if (w->blocks[i] == w->blocks[k])
				return false;
	return true;
}

static void cut(const struct profile *p, struct walk *w)
{
	size_t n = period_of(w);

	if (n == 0)
		n = last_return(w);
	w->repeats = n > 0;
	if (n > 0)
		w->n = n;
	w->n_insns = 0;
	for (size_t i = 0; i < w->n; i++) {
		w->n_insns += p->blocks[w->blocks[i]].n_insns;
		w->n_taken += (i > 0 || w->repeats) && !falls_into(p, w, i);
	}
	w->n_lines = count_lines(p, w);
	w->simple = w->repeats && is_simple(w);
}

void walk_from(struct arena *a, const struct flow *f, uint32_t start,
	       struct walk *ret)
{
	struct walker x = { .f = f };
	struct walk w = { 0 };
	uint32_t at = start;

	x.credit = ARENA_ARRAY(a, double, f->n_edges + 1);
	w.blocks = ARENA_ARRAY(a, uint32_t, WALK_INSNS + 1);
	while (at != FLOW_NONE && w.n < WALK_INSNS) {
		const struct profile_block *b = &f->p->blocks[at];

		if (w.n > 0 && w.n_insns + b->n_insns > WALK_INSNS)
			break;
		w.blocks[w.n++] = at;
		w.n_insns += b->n_insns;
		at = walk_next(&x, at);
	}
	cut(f->p, &w);
	*ret = w;
}
