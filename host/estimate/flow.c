/* How often each edge between blocks was taken, from the counts of the blocks
 * alone: intervals that Kirchhoff's law narrows until nothing changes. */
#include <math.h>

#include "host/estimate/walk.h"

enum { ROUNDS = 64 };

struct solver {
	struct flow *f;
	size_t *first_in; /* of each block's entries in in[] */
	size_t *in;       /* edges that enter blocks */
	bool *closed_in;  /* nothing but edges enters this block */
	bool *closed_out; /* nothing but edges leaves it */
};

uint32_t flow_block_at(const struct profile *p, uint64_t address)
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
		       : FLOW_NONE;
}

static void add_edge(struct flow *f, uint32_t from, uint64_t address)
{
	uint32_t to = flow_block_at(f->p, address);
	double most;

	if (to == FLOW_NONE)
		return;
	most = fmin((double)f->p->blocks[from].count,
		    (double)f->p->blocks[to].count);
	f->edges[f->n_edges++] =
		(struct flow_edge){ .from = from, .to = to, .most = most };
}

static void add_edges(struct solver *s, uint32_t i)
{
	const struct profile_block *b = &s->f->p->blocks[i];

	s->f->first[i] = s->f->n_edges;
	if (b->target)
		add_edge(s->f, i, b->target);
	if (b->falls && !b->calls)
		add_edge(s->f, i, b->address + b->n_code);
	s->closed_out[i] = (b->target || b->falls) &&
			   s->f->n_edges > s->f->first[i] &&
			   (!b->calls || b->target);
}

/* A function may be entered by any call, and what follows a call by any
 * return. */
static void find_entries(struct arena *a, struct solver *s)
{
	const struct flow *f = s->f;
	size_t n = f->p->n_blocks;
	size_t *at = ARENA_ARRAY(a, size_t, n + 1);

	for (size_t i = 0; i < f->n_edges; i++)
		s->first_in[f->edges[i].to + 1]++;
	for (size_t i = 0; i < n; i++) {
		s->first_in[i + 1] += s->first_in[i];
		at[i] = s->first_in[i];
		s->closed_in[i] = !f->p->blocks[i].symbol ||
				  f->p->blocks[i].symbol_offset > 0;
	}
	for (size_t i = 0; i < f->n_edges; i++)
		s->in[at[f->edges[i].to]++] = i;
	for (size_t i = 0; i < n; i++) {
		const struct profile_block *b = &f->p->blocks[i];
		uint32_t next =
			b->calls ? flow_block_at(f->p, b->address + b->n_code)
				 : FLOW_NONE;
		double most = 0;

		if (next != FLOW_NONE)
			s->closed_in[next] = false;
		for (size_t k = s->first_in[i]; k < s->first_in[i + 1]; k++)
			most += f->edges[s->in[k]].most;
		if (most < (double)b->count)
			s->closed_in[i] = false;
	}
}

/* Narrow an edge by what the other edges of a block leave for it. */
static bool narrow(struct flow_edge *x, double count, double others_least,
		   double others_most, bool closed)
{
	double least = closed ? count - others_most : 0;
	double most = count - others_least;
	bool changed = false;

	if (least > x->least && least <= x->most) {
		x->least = least;
		changed = true;
	}
	if (most < x->most && most >= x->least) {
		x->most = most;
		changed = true;
	}
	return changed;
}

/* Narrow some edges of a block, all that leave it or all that enter it.  Their
 * numbers are list[from..to); NULL: from..to themselves. */
static bool narrow_all(struct flow *f, const size_t *list, size_t from,
		       size_t to, double count, bool closed)
{
	double least = 0, most = 0;
	bool changed = false;

	for (size_t k = from; k < to; k++) {
		least += f->edges[list ? list[k] : k].least;
		most += f->edges[list ? list[k] : k].most;
	}
	for (size_t k = from; k < to; k++) {
		struct flow_edge *x = &f->edges[list ? list[k] : k];

		changed |= narrow(x, count, least - x->least, most - x->most,
				  closed);
	}
	return changed;
}

static bool narrow_block(struct solver *s, size_t i)
{
	double count = (double)s->f->p->blocks[i].count;
	bool out = narrow_all(s->f, NULL, s->f->first[i], s->f->first[i + 1],
			      count, s->closed_out[i]);
	bool in = narrow_all(s->f, s->in, s->first_in[i], s->first_in[i + 1],
			     count, s->closed_in[i]);

	return out || in;
}

void flow_open(struct arena *a, const struct profile *p, struct flow *ret)
{
	size_t n = p->n_blocks;
	struct flow f = {
		.p = p,
		.first = ARENA_ARRAY(a, size_t, n + 2),
		.edges = ARENA_ARRAY(a, struct flow_edge, 2 * n + 1),
	};
	struct solver s = {
		.f = &f,
		.first_in = ARENA_ARRAY(a, size_t, n + 2),
		.in = ARENA_ARRAY(a, size_t, 2 * n + 1),
		.closed_in = ARENA_ARRAY(a, bool, n + 1),
		.closed_out = ARENA_ARRAY(a, bool, n + 1),
	};
	bool changed = true;

	for (size_t i = 0; i < n; i++)
		add_edges(&s, (uint32_t)i);
	f.first[n] = f.n_edges;
	find_entries(a, &s);
	for (int round = 0; round < ROUNDS && changed; round++) {
		changed = false;
		for (size_t i = 0; i < n; i++) {
			changed |= narrow_block(&s, i);
		}
	}
	*ret = f;
}
