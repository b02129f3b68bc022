/* The critical path of an iteration, and the dependency cycle that bounds the
 * loop.
 *
 * The bound is the largest ratio of cycles to iterations over all cycles of the
 * graph. If a guess is too low, some cycle has a larger ratio. That ratio is
 * the next guess, until no cycle exceeds it. */
#include <math.h>
#include <string.h>

#include "host/predict/graph.h"

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
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t swap = p->edges[i];

		p->edges[i] = p->edges[n - 1 - i];
		p->edges[n - 1 - i] = swap;
	}
	p->n = n;
	p->marks[g->op_of[last]] += paths_end_of(g, last, 0);
}

static void new_path(struct arena *a, const struct dep_graph *g, struct path *p)
{
	*p = (struct path){
		.edges = ARENA_ARRAY(a, uint32_t, g->n_results + 1),
		.marks = ARENA_ARRAY(a, double, g->b->n),
		.on = ARENA_ARRAY(a, bool, g->b->n),
	};
}

void graph_critical_path(struct arena *a, const struct dep_graph *g,
			 struct path *ret)
{
	double *when = ARENA_ARRAY(a, double, g->n_results + 1);
	int32_t *by = ARENA_ARRAY(a, int32_t, g->n_results + 1);
	uint32_t last = 0;

	new_path(a, g, ret);
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
	double *gain;   /* of the best walk to each result, above the guess */
	int32_t *by;    /* last edge of that walk */
	uint32_t *seen; /* which backward walk visited the result */
};

/* One round of relaxation. Returns whether anything changed. */
static bool paths_relax(struct path_search *s, double guess)
{
	const struct dep_graph *g = s->g;
	bool changed = false;

	for (size_t i = 0; i < g->n_edges; i++) {
		const struct edge *x = &g->edges[i];
		double gain =
			s->gain[x->from] + x->cycles - guess * x->distance;

		if (gain <= s->gain[x->to] + 1e-9)
			continue;
		s->gain[x->to] = gain;
		s->by[x->to] = (int32_t)i;
		changed = true;
	}
	return changed;
}

/* A result on a cycle of `by` edges, or -1. */
static int64_t paths_find_cycle(struct path_search *s)
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

static void take_circle(const struct path_search *s, uint32_t start,
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
		const struct edge *x = &g->edges[s->by[at]];

		ret->edges[ret->n++] = (uint32_t)s->by[at];
		ret->total += x->cycles;
		ret->iterations += x->distance;
		ret->marks[g->op_of[at]] += x->cycles;
		ret->on[g->op_of[at]] = true;
		at = x->from;
	} while (at != start);
	for (size_t i = 0; i < ret->n / 2; i++) {
		uint32_t swap = ret->edges[i];

		ret->edges[i] = ret->edges[ret->n - 1 - i];
		ret->edges[ret->n - 1 - i] = swap;
	}
	ret->cycles = ret->total / ret->iterations;
}

/* Is there a cycle with a larger ratio than the guess? Stores it in *ret. */
static bool paths_exceeds(struct path_search *s, double guess, struct path *ret)
{
	const struct dep_graph *g = s->g;
	int64_t at = -1;

	memset(s->gain, 0, g->n_results * sizeof(*s->gain));
	memset(s->by, 0xff, g->n_results * sizeof(*s->by));
	for (size_t round = 0; round <= g->n_results && at < 0; round++) {
		if (!paths_relax(s, guess))
			return false;
		at = paths_find_cycle(s);
	}
	if (at >= 0)
		take_circle(s, (uint32_t)at, ret);
	return at >= 0;
}

void graph_carried(struct arena *a, const struct dep_graph *g, struct path *ret)
{
	enum { MAX_GUESSES = 1000 };
	struct path_search s = {
		.g = g,
		.gain = ARENA_ARRAY(a, double, g->n_results + 1),
		.by = ARENA_ARRAY(a, int32_t, g->n_results + 1),
		.seen = ARENA_ARRAY(a, uint32_t, g->n_results + 1),
	};

	new_path(a, g, ret);
	for (int i = 0; i < MAX_GUESSES; i++)
		if (!paths_exceeds(&s, ret->cycles, ret))
			return;
}
