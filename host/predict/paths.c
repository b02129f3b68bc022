/* The critical path of an iteration, the latency cycle that bounds the loop,
 * and all chains that it carries.
 *
 * The bound is the largest ratio of cycles to iterations over all cycles of the
 * graph. If a guess is too low, some cycle has a larger ratio. That ratio is
 * the next guess, until no cycle exceeds it.
 *
 * The chain through an edge is the longest walk from its end to its start, if
 * an iteration costs what the longest chain takes: then no cycle gains
 * anything, and longest walks exist. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/predict/graph.h"

static struct path new_path(struct arena *a, const struct dep_graph *g,
			    size_t n_edges)
{
	return (struct path){
		.edges = ARENA_ARRAY(a, uint32_t, n_edges),
		.marks = ARENA_ARRAY(a, double, g->b->n),
		.on = ARENA_ARRAY(a, bool, g->b->n),
	};
}

static void add_edge(struct path *p, const struct dep_graph *g, int32_t edge)
{
	const struct edge *x = &g->edges[edge];
	uint32_t op = g->op_of[x->to];

	p->edges[p->n++] = (uint32_t)edge;
	p->total += x->cycles;
	p->iterations += x->distance;
	p->marks[op] += x->cycles;
	p->on[op] = true;
}

/* Edges that were found from the end to the start. */
static void reverse_edges(uint32_t *edges, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t swap = edges[i];

		edges[i] = edges[n - 1 - i];
		edges[n - 1 - i] = swap;
	}
}

/* ---- critical path ----------------------------------------------------- */

/* When the result is ready if no source delays it. */
static double paths_op_latency(const struct op *o, size_t result)
{
	double t = 0;

	for (size_t r = 0; r <= o->n_reads + 1; r++)
		t = fmax(t, op_latency(o, r, result));
	return t;
}

static double paths_end_of(const struct dep_graph *g, uint32_t result, double t)
{
	const struct op *o = &g->b->ops[g->op_of[result]];
	bool memory = result - g->first_result[g->op_of[result]] ==
		      op_memory_result(o);

	return memory ? t + o->store_end : t;
}

static void mark_path(const struct dep_graph *g, const double *when,
		      const int32_t *by, uint32_t last, struct path *p)
{
	size_t n = 0;

	for (uint32_t r = last;;) {
		uint32_t op = g->op_of[r];
		double before = by[r] < 0 ? 0 : when[g->edges[by[r]].from];

		p->marks[op] += when[r] - before;
		p->on[op] = true;
		if (by[r] < 0)
			break;
		p->edges[n++] = (uint32_t)by[r];
		r = g->edges[by[r]].from;
	}
	reverse_edges(p->edges, n);
	p->n = n;
	p->marks[g->op_of[last]] += paths_end_of(g, last, 0);
}

void graph_critical_path(struct arena *a, const struct dep_graph *g,
			 struct path *ret)
{
	double *when = ARENA_ARRAY(a, double, g->n_results + 1);
	int32_t *by = ARENA_ARRAY(a, int32_t, g->n_results + 1);
	uint32_t last = 0;

	*ret = new_path(a, g, g->n_results + 1);
	for (uint32_t r = 0; r < g->n_results; r++) {
		const struct op *o = &g->b->ops[g->op_of[r]];

		when[r] = paths_op_latency(o, r - g->first_result[g->op_of[r]]);
		by[r] = -1;
	}
	/* Edges are sorted by the op that they lead to. */
	for (size_t i = 0; i < g->n_edges; i++) {
		const struct edge *x = &g->edges[i];
		double t = when[x->from] + x->cycles;

		if (x->distance != 0 || t < when[x->to] ||
		    (t == when[x->to] && by[x->to] >= 0))
			continue;
		when[x->to] = t;
		by[x->to] = (int32_t)i;
	}
	for (uint32_t r = 0; r < g->n_results; r++)
		if (paths_end_of(g, r, when[r]) >
		    paths_end_of(g, last, when[last]))
			last = r;
	if (g->n_results == 0)
		return;
	ret->cycles = ret->total = paths_end_of(g, last, when[last]);
	mark_path(g, when, by, last, ret);
}

/* ---- loop-carried ------------------------------------------------------ */

struct path_search {
	const struct dep_graph *g;
	double iteration; /* what an iteration costs, or is guessed to */
	double *gain;     /* of the best walk to each result */
	int32_t *by;      /* last edge of that walk, or -1 */
	uint32_t *seen;   /* which backward walk visited the result */
};

static struct path_search search_open(struct arena *a,
				      const struct dep_graph *g)
{
	return (struct path_search){
		.g = g,
		.gain = ARENA_ARRAY(a, double, g->n_results + 1),
		.by = ARENA_ARRAY(a, int32_t, g->n_results + 1),
		.seen = ARENA_ARRAY(a, uint32_t, g->n_results + 1),
	};
}

/* Forget all walks: each result has gained so much. */
static void search_begin(struct path_search *s, double gain)
{
	for (size_t r = 0; r < s->g->n_results; r++)
		s->gain[r] = gain;
	memset(s->by, 0xff, s->g->n_results * sizeof(*s->by));
}

/* One round of relaxation. Returns whether anything changed. */
static bool search_relax(struct path_search *s)
{
	const struct dep_graph *g = s->g;
	bool changed = false;

	for (size_t i = 0; i < g->n_edges; i++) {
		const struct edge *x = &g->edges[i];
		double gain = s->gain[x->from] + x->cycles -
			      s->iteration * x->distance;

		if (gain <= s->gain[x->to] + 1e-9)
			continue;
		s->gain[x->to] = gain;
		s->by[x->to] = (int32_t)i;
		changed = true;
	}
	return changed;
}

/* A result on a cycle of `by` edges, or -1. */
static int64_t search_find_cycle(struct path_search *s)
{
	const struct dep_graph *g = s->g;

	memset(s->seen, 0, g->n_results * sizeof(*s->seen));
	for (uint32_t r = 0; r < g->n_results; r++) {
		uint32_t at = r;

		if (s->seen[r] != 0)
			continue;
		while (s->seen[at] == 0 && s->by[at] >= 0) {
			s->seen[at] = r + 1;
			at = g->edges[s->by[at]].from;
		}
		if (s->by[at] >= 0 && s->seen[at] == r + 1)
			return at;
		s->seen[at] = s->seen[at] ? s->seen[at] : r + 1;
	}
	return -1;
}

static void take_cycle(const struct path_search *s, uint32_t start,
		       struct path *ret)
{
	const struct dep_graph *g = s->g;
	uint32_t at = start;

	memset(ret->marks, 0, g->b->n * sizeof(*ret->marks));
	memset(ret->on, 0, g->b->n * sizeof(*ret->on));
	ret->n = 0;
	ret->total = 0;
	ret->iterations = 0;
	do {
		add_edge(ret, g, s->by[at]);
		at = g->edges[s->by[at]].from;
	} while (at != start);
	reverse_edges(ret->edges, ret->n);
	ret->cycles = ret->total / ret->iterations;
}

/* Is there a cycle with a larger ratio than the guess? Stores it in *ret. */
static bool search_exceeds(struct path_search *s, struct path *ret)
{
	int64_t at = -1;

	search_begin(s, 0);
	for (size_t round = 0; round <= s->g->n_results && at < 0; round++) {
		if (!search_relax(s))
			return false;
		at = search_find_cycle(s);
	}
	if (at >= 0)
		take_cycle(s, (uint32_t)at, ret);
	return at >= 0;
}

void graph_carried(struct arena *a, const struct dep_graph *g, struct path *ret)
{
	enum { MAX_GUESSES = 1000 };
	struct path_search s = search_open(a, g);

	*ret = new_path(a, g, g->n_results + 1);
	for (int i = 0; i < MAX_GUESSES && search_exceeds(&s, ret); i++)
		s.iteration = ret->cycles;
}

/* ---- all chains -------------------------------------------------------- */

/* Find the best walks from a result to all others. */
static void chains_walk(struct path_search *s, uint32_t from)
{
	search_begin(s, -INFINITY);
	s->gain[from] = 0;
	for (size_t round = 0; round <= s->g->n_results; round++)
		if (!search_relax(s))
			return;
}

/* The chain that this edge closes; n is 0 if it closes none. */
static struct path chains_through(struct arena *a, const struct path_search *s,
				  uint32_t edge)
{
	const struct dep_graph *g = s->g;
	uint32_t first = g->edges[edge].to, at = g->edges[edge].from;
	struct path p = { .n = 0 };
	size_t n = 1;

	for (uint32_t r = at; r != first; r = g->edges[s->by[r]].from)
		if (s->by[r] < 0 || n++ > g->n_results)
			return p;
	p = new_path(a, g, n);
	add_edge(&p, g, (int32_t)edge);
	for (uint32_t r = at; r != first; r = g->edges[s->by[r]].from)
		add_edge(&p, g, s->by[r]);
	reverse_edges(p.edges + 1, n - 1);
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

void graph_chains(struct arena *a, const struct dep_graph *g,
		  const struct path *longest, struct chains *ret)
{
	/* Half a second of search. */
	static const double most_steps = 2e8;
	struct path_search s = search_open(a, g);
	size_t n = 1;

	s.iteration = longest->cycles * (1 + 1e-9);
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
