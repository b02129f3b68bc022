/* The chain through an edge is the longest walk from its end to its start, if
 * an iteration costs what the longest chain takes: then no cycle gains
 * anything, and longest walks exist. */
#include "host/predict/chains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct chain_search {
	const struct dep_graph *g;
	double iteration; /* what an iteration costs */
	double *gain;     /* of the best walk to each result */
	int32_t *by;      /* last edge of that walk, or -1 */
};

/* Find the best walks from a result to all others. */
static void chains_walk(struct chain_search *s, uint32_t from)
{
	const struct dep_graph *g = s->g;
	bool changed = true;

	for (size_t r = 0; r < g->n_results; r++)
		s->gain[r] = -INFINITY;
	memset(s->by, 0xff, g->n_results * sizeof(*s->by));
	s->gain[from] = 0;
	for (size_t round = 0; changed && round <= g->n_results; round++) {
		changed = false;
		for (size_t i = 0; i < g->n_edges; i++) {
			const struct edge *x = &g->edges[i];
			double gain = s->gain[x->from] + x->cycles -
				      s->iteration * x->distance;

			if (!(gain > s->gain[x->to] + 1e-9))
				continue;
			s->gain[x->to] = gain;
			s->by[x->to] = (int32_t)i;
			changed = true;
		}
	}
}

static void chains_add_edge(struct path *p, const struct dep_graph *g,
			    uint32_t edge)
{
	const struct edge *x = &g->edges[edge];
	uint32_t op = g->op_of[x->to];

	p->edges[p->n++] = edge;
	p->total += x->cycles;
	p->iterations += x->distance;
	p->marks[op] += x->cycles;
	p->on[op] = true;
}

/* The chain that this edge closes; n is 0 if it closes none. */
static struct path chains_through(struct arena *a, const struct chain_search *s,
				  uint32_t edge)
{
	const struct dep_graph *g = s->g;
	uint32_t first = g->edges[edge].to, at = g->edges[edge].from;
	struct path p = { .n = 0 };
	size_t n = 1;

	for (uint32_t r = at; r != first; r = g->edges[s->by[r]].from)
		if (s->by[r] < 0 || n++ > g->n_results)
			return p;
	p.edges = ARENA_ARRAY(a, uint32_t, n);
	p.marks = ARENA_ARRAY(a, double, g->b->n);
	p.on = ARENA_ARRAY(a, bool, g->b->n);
	chains_add_edge(&p, g, edge);
	for (uint32_t r = at; r != first; r = g->edges[s->by[r]].from)
		chains_add_edge(&p, g, (uint32_t)s->by[r]);
	for (size_t i = 1, k = n - 1; i < k; i++, k--) {
		uint32_t swap = p.edges[i];

		p.edges[i] = p.edges[k];
		p.edges[k] = swap;
	}
	p.cycles = p.total / p.iterations;
	return p;
}

/* Add it, or replace one of the same instructions if it is longer. */
static void chains_keep(struct chains *c, const struct dep_graph *g,
			const struct path *p)
{
	size_t k = 0;

	while (k < c->n && memcmp(c->list[k].on, p->on, g->b->n) != 0)
		k++;
	if (k == c->n)
		c->list[c->n++] = *p;
	else if (p->cycles > c->list[k].cycles)
		c->list[k] = *p;
}

static int chains_by_cycles(const void *a, const void *b)
{
	const struct path *x = a, *y = b;

	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	return (x->edges[0] > y->edges[0]) - (x->edges[0] < y->edges[0]);
}

void chains_find(struct arena *a, const struct dep_graph *g,
		 const struct path *longest, struct chains *ret)
{
	/* Half a second of search. */
	static const double most_steps = 2e8;
	struct chain_search s = {
		.g = g,
		.iteration = longest->cycles * (1 + 1e-9),
		.gain = ARENA_ARRAY(a, double, g->n_results + 1),
		.by = ARENA_ARRAY(a, int32_t, g->n_results + 1),
	};
	size_t n = 1;

	for (size_t i = 0; i < g->n_edges; i++)
		n += g->edges[i].distance > 0;
	*ret = (struct chains){ .list = ARENA_ARRAY(a, struct path, n) };
	if (longest->n > 0)
		ret->list[ret->n++] = *longest;
	ret->longest_only =
		(double)n * (double)(g->n_edges + g->b->n) > most_steps;
	for (uint32_t i = 0; i < g->n_edges && !ret->longest_only; i++) {
		struct path p;

		if (g->edges[i].distance == 0)
			continue;
		chains_walk(&s, g->edges[i].to);
		p = chains_through(a, &s, i);
		if (p.n > 0)
			chains_keep(ret, g, &p);
	}
	qsort(ret->list, ret->n, sizeof(*ret->list), chains_by_cycles);
}
