/* Walks through a program's blocks; see walk.h. */
#include "host/estimate/walk.h"

#include <string.h>

enum { WALK_CALLS = 64, WALK_PERIODS = 2 };

#define WALK_NONE UINT32_MAX

void flow_open(struct arena *a, const struct profile *p, struct flow *ret)
{
	struct flow f = { .p = p };
	size_t *at = ARENA_ARRAY(a, size_t, p->n_blocks + 1);

	f.first = ARENA_ARRAY(a, size_t, p->n_blocks + 2);
	f.edges = ARENA_ARRAY(a, struct flow_edge, p->n_edges + 1);
	for (size_t i = 0; i < p->n_edges; i++)
		f.first[p->edges[i].from + 1]++;
	for (size_t i = 0; i < p->n_blocks; i++)
		f.first[i + 1] += f.first[i];
	memcpy(at, f.first, (p->n_blocks + 1) * sizeof(*at));
	for (size_t i = 0; i < p->n_edges; i++) {
		const struct profile_edge *x = &p->edges[i];

		f.edges[at[x->from]++] = (struct flow_edge){
			.to = x->to,
			.weight = ((double)x->least + (double)x->most) / 2,
		};
	}
	*ret = f;
}

/* The executed block at an address, or WALK_NONE. */
static uint32_t block_at(const struct profile *p, uint64_t address)
{
	size_t low = 0, high = p->n_blocks;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->blocks[mid].address < address)
			low = mid + 1;
		else
			high = mid;
	}
	return low < p->n_blocks && p->blocks[low].address == address
		       ? (uint32_t)low
		       : WALK_NONE;
}

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
		w->credit[i] += f->edges[i].weight;
		all += f->edges[i].weight;
		if (w->credit[i] > w->credit[best])
			best = i;
	}
	if (all <= 0)
		return WALK_NONE;
	w->credit[best] -= all;
	return f->edges[best].to;
}

static uint32_t walk_next(struct walker *w, uint32_t from)
{
	const struct profile_block *b = &w->f->p->blocks[from];
	uint32_t to = walk_along(w, from);

	if (b->calls && to != WALK_NONE && w->n_calls < WALK_CALLS)
		w->calls[w->n_calls++] =
			block_at(w->f->p, b->address + b->n_code);
	else if (b->calls && to == WALK_NONE)
		to = block_at(w->f->p, b->address + b->n_code);
	else if (to == WALK_NONE && w->n_calls > 0)
		to = w->calls[--w->n_calls];
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
		const struct profile_block *b = &p->blocks[w->blocks[i]];
		size_t next = i + 1 < w->n ? i + 1 : 0;

		w->n_insns += b->n_insns;
		if ((next > 0 || w->repeats) &&
		    p->blocks[w->blocks[next]].address !=
			    b->address + b->n_code)
			w->n_taken++;
	}
}

void walk_from(struct arena *a, const struct flow *f, uint32_t start,
	       struct walk *ret)
{
	struct walker x = { .f = f };
	struct walk w = { 0 };
	uint32_t at = start;

	x.credit = ARENA_ARRAY(a, double, f->p->n_edges + 1);
	w.blocks = ARENA_ARRAY(a, uint32_t, WALK_INSNS + 1);
	while (at != WALK_NONE && w.n < WALK_INSNS) {
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
