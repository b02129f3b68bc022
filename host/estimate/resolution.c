/* What a mispredicted jump waits for.
 *
 * A core that has mispredicted a jump has executed nothing of what follows.
 * The next jump that it mispredicts waits for all instructions between them
 * on which it depends: a load that hits, an address, a comparison.  This
 * file computes that wait, less the cycles that are charged for the same
 * instructions. */
#include "host/estimate/inner.h"

#include <math.h>

#include "host/isa/isa.h"

struct resolving {
	const struct dep_graph *g;
	const struct walk_insn *insns;
	const struct estimate_input *in;
	/* Of each result: cycles from the misprediction until it is there. */
	double *ready;
	size_t *first_edge, *first_link; /* of each op */
	double width;
	double cycles_per_op; /* of the walk, as it is predicted */
	/* Of each op that is a jump: sum of its waits, and of their weights. */
	double *waits, *weights;
};

/* The part of the executions in which the op is a mispredicted jump. */
static double share_mispredicted(const struct resolving *r, size_t op)
{
	struct walk_insn at = r->insns[op];
	const struct profile_block *b = &r->in->p->blocks[at.block];

	return at.index + 1 == b->n_insns && b->count > 0
		       ? fmin(1, (double)b->mispredicted / (double)b->count)
		       : 0;
}

/* When a result is there that op `to` reads, after `n_before` ops since the
 * misprediction: 0 if it was computed before that. */
static double source_ready(const struct resolving *r, uint32_t result,
			   size_t to, uint32_t distance, size_t n_before)
{
	size_t from = r->g->op_of[result];

	return to + distance * r->g->b->n - from <= n_before ? r->ready[result]
							     : 0;
}

/* Set the results of an op that is dispatched at `begin`. */
static void execute(struct resolving *r, size_t op, double begin,
		    size_t n_before)
{
	const struct dep_graph *g = r->g;
	const struct op *o = &g->b->ops[op];
	uint32_t first = g->first_result[op];

	for (size_t k = 0; k < op_n_results(o); k++) {
		double t = 0;

		for (size_t i = 0; i <= o->n_reads + 1; i++)
			t = fmax(t, op_latency(o, i, k));
		r->ready[first + k] = begin + t;
	}
	for (size_t i = r->first_edge[op]; i < r->first_edge[op + 1]; i++) {
		const struct edge *e = &g->edges[i];
		double from =
			source_ready(r, e->from, op, e->distance, n_before);

		r->ready[e->to] =
			fmax(r->ready[e->to], fmax(from, begin) + e->cycles);
	}
}

/* When all that the jump reads is there. */
static double jump_ready(const struct resolving *r, size_t op, double begin,
			 size_t n_before)
{
	const struct dep_graph *g = r->g;
	double t = begin;

	for (size_t i = r->first_link[op]; i < r->first_link[op + 1]; i++) {
		const struct link *l = &g->links[i];
		uint32_t result = g->first_result[l->from] + l->from_result;

		t = fmax(t, source_ready(r, result, op, l->distance, n_before) +
				    l->extra);
	}
	return t;
}

/* Add the waits of the jumps after a mispredicted one.  Each counts with the
 * probability that no jump between was mispredicted, too. */
static void resolve_from(struct resolving *r, size_t jump, double weight)
{
	/* What is left then hardly changes a mean. */
	static const double min_weight = 0.02;
	size_t n = r->g->b->n;
	double rest = weight, begin = 0;

	for (size_t k = 0; k < n && rest > min_weight * weight; k++) {
		size_t op = (jump + 1 + k) % n;
		double share = share_mispredicted(r, op);

		if (share > 0) {
			double walk = (double)(k + 1) * r->cycles_per_op;
			double wait = jump_ready(r, op, begin, k) - walk;

			r->waits[op] += rest * wait;
			r->weights[op] += rest;
			rest *= 1 - share;
		}
		execute(r, op, begin, k);
		begin += r->g->b->ops[op].slots / r->width;
	}
}

static void index_graph(struct arena *a, struct resolving *r)
{
	const struct dep_graph *g = r->g;
	size_t n = g->b->n;

	r->first_edge = ARENA_ARRAY(a, size_t, n + 2);
	r->first_link = ARENA_ARRAY(a, size_t, n + 2);
	for (size_t i = 0; i < g->n_edges; i++)
		r->first_edge[g->op_of[g->edges[i].to] + 1]++;
	for (size_t i = 0; i < g->n_links; i++)
		r->first_link[g->links[i].to + 1]++;
	for (size_t i = 0; i < n; i++) {
		r->first_edge[i + 1] += r->first_edge[i];
		r->first_link[i + 1] += r->first_link[i];
	}
}

/* The mean over the places of a block in the walk, which are then done. */
static void set_resolutions(struct resolving *r, const struct costing *x)
{
	/* In the loop with which host/structures measures the penalty
	 * (a multiplication of 3 cycles, an addition and a test) the sources of
	 * the jump are there after 5 cycles, and an iteration takes 4.  So the
	 * penalty contains one cycle of wait. */
	static const double in_penalty = 1;
	size_t n = r->g->b->n;

	for (size_t i = 0; i < n; i++) {
		uint32_t block = r->insns[i].block;
		double wait = r->waits[i], weight = r->weights[i];

		if (weight == 0 || x->known[block])
			continue;
		for (size_t k = i + 1; k < n; k++)
			if (r->insns[k].block == block) {
				wait += r->waits[k];
				weight += r->weights[k];
				r->weights[k] = 0;
			}
		x->costs[block].resolution =
			fmax(0, wait / weight - in_penalty);
	}
}

void resolution_find(struct arena *a, const struct costing *x,
		     const struct prediction *p, double cycles,
		     const struct walk_insn *insns)
{
	/* Jumps that are mispredicted a hundred times less often than the worst
	 * one hardly change a mean. */
	static const double min_share = 0.01;
	struct resolving r = { .g = &p->graph, .insns = insns, .in = x->in };
	size_t n = p->body.n;
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, share_mispredicted(&r, i));
	if (most == 0)
		return;
	r.ready = ARENA_ARRAY(a, double, p->graph.n_results + 1);
	r.waits = ARENA_ARRAY(a, double, n);
	r.weights = ARENA_ARRAY(a, double, n);
	r.width = p->body.model->width.has_value
			  ? p->body.model->width.high
			  : x->in->c->isa->max_issue_width;
	r.cycles_per_op = cycles / (double)n;
	index_graph(a, &r);
	for (size_t i = 0; i < n; i++)
		if (share_mispredicted(&r, i) > min_share * most)
			resolve_from(&r, i, share_mispredicted(&r, i));
	set_resolutions(&r, x);
}
