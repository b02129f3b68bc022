/* When a mispredicted jump is known to be one.
 *
 * After a jump that was mispredicted the core begins anew: of what follows nothing
 * is in flight.  The next jump whose direction it does not know waits for all that
 * it depends on since then: a load that hits, an address that is computed, a
 * comparison.  Where predictions are right these are hidden. */
#include <math.h>

#include "host/estimate/inner.h"

struct resolving {
	const struct dep_graph *g;
	const struct walk_insn *insns;
	const struct estimate_input *in;
	/* Of each result: when it is there, in cycles since the core began anew. */
	double *when;
	size_t *first_edge, *first_link; /* of each op */
	double width;
	double cycles; /* of an op, as the walk is predicted */
};

/* How often the op is a mispredicted jump. */
static uint64_t mispredicted_at(const struct resolving *r, size_t op)
{
	struct walk_insn at = r->insns[op];
	const struct profile_block *b = &r->in->p->blocks[at.block];

	return at.index + 1 == b->n_insns ? b->mispredicted : 0;
}

/* Is the result of op `from` one since the core began anew?  The reader `to` comes
 * after `length` ops. */
static bool is_in_flight(const struct resolving *r, size_t from, size_t to,
			 uint32_t distance, size_t length)
{
	return to + distance * r->g->b->n - from <= length;
}

static double read_at(const struct resolving *r, uint32_t from, size_t to,
		      uint32_t distance, size_t length)
{
	return is_in_flight(r, r->g->op_of[from], to, distance, length)
		       ? r->when[from]
		       : 0;
}

/* Results of an op that is dispatched at `begin`; `length` ops of the segment are
 * before it. */
static void execute(struct resolving *r, size_t op, double begin, size_t length)
{
	const struct dep_graph *g = r->g;
	const struct op *o = &g->b->ops[op];
	uint32_t first = g->first_result[op];

	for (size_t k = 0; k < op_n_results(o); k++) {
		double t = 0;

		for (size_t i = 0; i <= o->n_reads + 1; i++)
			t = fmax(t, op_latency(o, i, k));
		r->when[first + k] = begin + t;
	}
	for (size_t i = r->first_edge[op]; i < r->first_edge[op + 1]; i++) {
		const struct edge *e = &g->edges[i];
		double from = read_at(r, e->from, op, e->distance, length);

		r->when[e->to] =
			fmax(r->when[e->to], fmax(from, begin) + e->cycles);
	}
}

/* When all that the op reads is there. */
static double ready_at(const struct resolving *r, size_t op, double begin,
		       size_t length)
{
	const struct dep_graph *g = r->g;
	double t = begin;

	for (size_t i = r->first_link[op]; i < r->first_link[op + 1]; i++) {
		const struct link *l = &g->links[i];

		t = fmax(t,
			 read_at(r, g->first_result[l->from] + l->from_result,
				 op, l->distance, length) +
				 l->extra);
	}
	return t;
}

/* The first jump after `jump` that is mispredicted `least` times or more, and the
 * cycles until its sources are there beyond those that the walk takes from there to
 * it. */
static size_t resolve_from(struct resolving *r, size_t jump, uint64_t least,
			   double *ret_cycles)
{
	size_t n = r->g->b->n, op = jump;
	double begin = 0;

	for (size_t length = 0; length < n; length++) {
		op = (op + 1) % n;
		if (mispredicted_at(r, op) >= least) {
			*ret_cycles = ready_at(r, op, begin, length) -
				      (double)(length + 1) * r->cycles;
			return op;
		}
		execute(r, op, begin, length);
		begin += r->g->b->ops[op].slots / r->width;
	}
	*ret_cycles = 0;
	return op;
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

void resolution_find(struct arena *a, const struct estimate_input *in,
		     const struct prediction *p, const struct walk_insn *insns,
		     struct core_cost *costs)
{
	/* Of the mispredictions of the walk's worst jump: a jump that is wrong
	 * less often hardly ever is where the core begins anew. */
	enum { PART = 10 };
	/* In the loop with which the penalty is measured, a multiplication, an
	 * addition and a test, the jump waits 5 cycles, and an iteration takes
	 * 4. */
	static const double measured = 1;
	struct resolving r = { .g = &p->graph, .insns = insns, .in = in };
	size_t n = p->body.n;
	uint32_t *times = ARENA_ARRAY(a, uint32_t, n + 1);
	double *sums = ARENA_ARRAY(a, double, n + 1);
	uint64_t most = 0, least;

	for (size_t i = 0; i < n; i++)
		if (mispredicted_at(&r, i) > most)
			most = mispredicted_at(&r, i);
	if (most == 0)
		return;
	least = most / PART + 1;
	r.when = ARENA_ARRAY(a, double, p->graph.n_results + 1);
	r.width = fmax(1, p->body.model->width.high);
	r.cycles = p->cycles / (double)n;
	index_graph(a, &r);
	for (size_t i = 0; i < n; i++) {
		double cycles;
		size_t to;

		if (mispredicted_at(&r, i) < least)
			continue;
		to = resolve_from(&r, i, least, &cycles);
		/* The first place of a block stands for all of it. */
		for (size_t k = 0; k < n; k++)
			if (insns[k].block == insns[to].block &&
			    insns[k].index == insns[to].index) {
				sums[k] += cycles;
				times[k]++;
				break;
			}
	}
	for (size_t i = 0; i < n; i++)
		if (times[i] > 0)
			costs[insns[i].block].resolution =
				fmax(0, sums[i] / times[i] - measured);
}
