/* Cycles of each block on the core, when all its accesses hit the first
 * level. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/estimate/inner.h"
#include "host/isa/guest.h"
#include "host/isa/isa.h"
#include "host/predict/predict.h"

/* ---- a walk as a program --------------------------------------------- */

static int walk_program(struct arena *a, const struct costing *x,
			const struct walk *w, struct program *ret,
			struct err *e)
{
	*ret = (struct program){ .c = x->in->c, .placed = true };
	for (size_t i = 0; i < w->n; i++) {
		const struct profile_block *b = &x->in->p->blocks[w->blocks[i]];

		if (program_add_bytes(
			    a, ret,
			    &(struct code){ "the program", b->code, b->n_code },
			    b->address, DATA_SKIPPED, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

static struct walk_insn *walk_insns(struct arena *a, const struct costing *x,
				    const struct walk *w, size_t n)
{
	struct walk_insn *list = ARENA_ARRAY(a, struct walk_insn, n + 1);
	size_t at = 0;

	for (size_t i = 0; i < w->n; i++)
		for (uint32_t k = 0;
		     k < x->in->p->blocks[w->blocks[i]].n_insns && at < n; k++)
			list[at++] = (struct walk_insn){ w->blocks[i], k };
	return list;
}

/* ---- addresses that need loaded data ---------------------------------- */

static uint32_t access_at(const struct profile *p, struct walk_insn at)
{
	const struct profile_block *b = &p->blocks[at.block];

	for (uint32_t i = 0; i < b->n_accesses; i++)
		if (b->accesses[i].index == at.index)
			return i;
	return ESTIMATE_NONE;
}

/* The load whose data instruction `op` gets, itself or through instructions
 * that compute with it; ESTIMATE_NONE: none.  `seen` marks what was visited in
 * this search. */
static uint32_t loads_for(const struct dep_graph *g, const size_t *first_link,
			  uint32_t op, uint32_t *seen, uint32_t mark,
			  unsigned depth)
{
	enum { DEPTH = 24 };

	if (g->b->ops[op].load)
		return op;
	if (seen[op] == mark || depth == DEPTH)
		return ESTIMATE_NONE;
	seen[op] = mark;
	for (size_t i = first_link[op]; i < first_link[op + 1]; i++) {
		uint32_t found = loads_for(g, first_link, g->links[i].from,
					   seen, mark, depth + 1);

		if (found != ESTIMATE_NONE)
			return found;
	}
	return ESTIMATE_NONE;
}

/* A load as an access of the profile. */
static struct estimate_source source_of(const struct costing *x,
					struct walk_insn load)
{
	struct estimate_source s = {
		.block = load.block,
		.access = access_at(x->in->p, load),
	};

	if (s.access == ESTIMATE_NONE)
		s.block = ESTIMATE_NONE;
	return s;
}

static void set_source(struct costing *x, struct walk_insn to, uint32_t access,
		       struct walk_insn load)
{
	struct core_cost *c = &x->costs[to.block];

	if (!c->sources) {
		uint32_t k = x->in->p->blocks[to.block].n_accesses;

		c->sources = ARENA_ARRAY(x->a, struct estimate_source, k);
		while (k-- > 0)
			c->sources[k].block = ESTIMATE_NONE;
	}
	c->sources[access] = source_of(x, load);
}

/* Is it the jump at the end of its block? */
static bool is_jump(const struct profile *p, struct walk_insn at)
{
	const struct profile_block *b = &p->blocks[at.block];

	return at.index + 1 == b->n_insns && (b->target || !b->falls);
}

static void find_sources(struct costing *x, struct arena *a,
			 const struct prediction *p,
			 const struct walk_insn *insns)
{
	const struct dep_graph *g = &p->graph;
	size_t n = p->body.n;
	size_t *first = ARENA_ARRAY(a, size_t, n + 2);
	uint32_t *seen = ARENA_ARRAY(a, uint32_t, n + 1);

	for (size_t i = 0; i < g->n_links; i++)
		first[g->links[i].to + 1]++;
	for (size_t i = 0; i < n; i++)
		first[i + 1] += first[i];
	for (size_t i = 0; i < g->n_links; i++) {
		const struct link *l = &g->links[i];
		const struct op *to = &p->body.ops[l->to];
		struct walk_insn at = insns[l->to];
		uint32_t access = access_at(x->in->p, at);
		bool jump = is_jump(x->in->p, at);
		uint32_t from;

		if (access == ESTIMATE_NONE || l->to_read >= to->n_reads ||
		    !to->reads[l->to_read].address)
			access = ESTIMATE_NONE;
		if (access == ESTIMATE_NONE && !jump)
			continue;
		from = loads_for(g, first, l->from, seen, (uint32_t)i + 1, 0);
		if (from == ESTIMATE_NONE)
			continue;
		if (access != ESTIMATE_NONE)
			set_source(x, at, access, insns[from]);
		if (jump)
			x->costs[at.block].jump = source_of(x, insns[from]);
	}
}

/* ---- cycles ------------------------------------------------------------ */

static enum estimate_bound bound_of(const struct prediction *p, double fetch)
{
	/* As in host/predict: more than the bounds by this is the queues'. */
	static const double more = 1.02;
	double front = fmax(fmax(p->width_bound, p->effect_bound), fetch);
	double bounds = fmax(fmax(p->pressure.bound, front), p->carried.cycles);

	if (p->cycles > bounds * more)
		return BOUND_QUEUES;
	if (p->carried.cycles >= bounds * (1 - 1e-9))
		return BOUND_DEPENDENCY;
	return p->pressure.bound >= front ? BOUND_PORTS : BOUND_FRONT_END;
}

/* Cycles of fetching the code: one for each taken jump of a loop that the core
 * repeats from decoded instructions, if it is known to do so.  A walk with
 * inner loops leaves them before the core repeats them in this way.  Then each
 * line of code costs a cycle, and a line costs one again after each taken
 * jump. */
static double fetch_cycles(const struct prediction *p, const struct walk *w)
{
	double taken = p->body.model->taken_branches;

	if (w->simple)
		return (double)w->n_taken * (taken > 0 ? 1 / taken : 1);
	return (double)w->n_lines;
}

static uint32_t count_assumed(const struct prediction *p,
			      const struct walk_insn *insns, uint32_t block)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p->body.n; i++) {
		if (insns[i].block != block)
			continue;
		n += p->body.ops[i].assumed != NULL;
		if (i + 1 == p->body.n || insns[i + 1].block != block ||
		    insns[i + 1].index == 0)
			break;
	}
	return n;
}

/* How many of the executions of each instruction crossed a line. */
static const double *crossings_of(struct arena *a, const struct costing *x,
				  const struct walk_insn *insns, size_t n)
{
	enum { WIDEST = 64 }; /* of one access: a gather has several */
	double *shares = ARENA_ARRAY(a, double, n + 1);

	for (size_t i = 0; i < n; i++) {
		uint32_t k = access_at(x->in->p, insns[i]);
		const struct profile_access *at;

		if (k == ESTIMATE_NONE)
			continue;
		at = &x->in->p->blocks[insns[i].block].accesses[k];
		if (at->executions > 0 && at->bytes <= WIDEST * at->executions)
			shares[i] =
				fmin(1, (double)(at->lines - at->executions) /
						(double)at->executions);
	}
	return shares;
}

static double walk_cycles(const struct prediction *p, const struct walk *w)
{
	return fmax(p->cycles, fetch_cycles(p, w));
}

static void set_costs(struct costing *x, const struct prediction *p,
		      const struct walk *w, const struct walk_insn *insns)
{
	double fetch = fetch_cycles(p, w);
	double cycles = walk_cycles(p, w);
	const char *why = fetch < cycles ? p->why
			  : w->simple    ? "bound by taken branches"
					 : "bound by fetching lines of code";

	why = arena_strdup(x->a, why);
	for (size_t i = 0; i < w->n; i++) {
		uint32_t b = w->blocks[i];

		if (x->known[b])
			continue;
		x->known[b] = true;
		x->costs[b].cycles = cycles / (double)p->body.n *
				     x->in->p->blocks[b].n_insns;
		x->costs[b].bound = bound_of(p, fetch);
		x->costs[b].why = why;
		x->costs[b].n_assumed = count_assumed(p, insns, b);
	}
}

static int cost_from(struct costing *x, uint32_t block, struct err *e)
{
	static const struct predict_options o;
	struct arena a = { 0 };
	struct walk w;
	struct program program;
	struct loop loop = { .label = "" };
	struct prediction p;
	struct walk_insn *insns;
	int ret;

	walk_from(&a, &x->flow, block, &w);
	ret = walk_program(&a, x, &w, &program, e);
	if (ret == ERR_OK && program.n > 0) {
		loop.last = program.n - 1;
		loop.closed = w.repeats && w.n == 1;
		insns = walk_insns(&a, x, &w, program.n);
		loop.crossings = crossings_of(&a, x, insns, program.n);
		ret = predict(&a,
			      &(struct loop_on){ &program, &loop, x->in->k },
			      &o, &p, e);
		if (ret == ERR_OK) {
			resolution_find(&a, x, &p, walk_cycles(&p, &w), insns);
			set_costs(x, &p, &w, insns);
			find_sources(x, &a, &p, insns);
		}
	}
	x->known[block] = true;
	arena_free(&a);
	return ret;
}

/* ---- all blocks --------------------------------------------------------- */

struct ranked {
	uint64_t insns;
	uint32_t block;
};

static int core_by_insns(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->insns != y->insns)
		return x->insns > y->insns ? -1 : 1;
	return x->block < y->block ? -1 : x->block > y->block;
}

/* An instruction that repeats itself costs what a manual says of all its
 * elements. */
static void set_repeated(const struct costing *x, uint32_t block)
{
	const struct profile_block *b = &x->in->p->blocks[block];
	const struct isa_guest *g;
	double bytes;

	if (b->elements == 0 || b->count == 0)
		return;
	g = x->in->p->isa->guest;
	bytes = (double)b->elements * b->element_bytes / (double)b->count;
	x->known[block] = true;
	x->costs[block].cycles = g->repeat_cycles + bytes / g->repeat_bytes;
	x->costs[block].bound = BOUND_PORTS;
	x->costs[block].why = arena_printf(
		x->a,
		"repeats itself: %u cycles and %u bytes a cycle, by a manual",
		g->repeat_cycles, g->repeat_bytes);
}

/* Predict the blocks that hold nearly all instructions; the others get the mean
 * of these. */
int core_costs(struct arena *a, const struct estimate_input *in,
	       struct core_cost **ret, struct err *e)
{
	static const double nearly_all = 0.999;
	const struct profile *p = in->p;
	struct costing x = { .a = a, .in = in };
	struct ranked *order = ARENA_ARRAY(a, struct ranked, p->n_blocks + 1);
	double cycles = 0, insns = 0;

	flow_open(a, p, &x.flow);
	x.costs = ARENA_ARRAY(a, struct core_cost, p->n_blocks + 1);
	x.known = ARENA_ARRAY(a, bool, p->n_blocks + 1);
	for (size_t i = 0; i < p->n_blocks; i++) {
		order[i] = (struct ranked){
			p->blocks[i].count * p->blocks[i].n_insns, (uint32_t)i
		};
		x.costs[i].jump.block = ESTIMATE_NONE;
		x.costs[i].bound = BOUND_UNKNOWN;
		x.costs[i].why = "not predicted: too few executions";
		set_repeated(&x, (uint32_t)i);
	}
	qsort(order, p->n_blocks, sizeof(*order), core_by_insns);
	for (size_t i = 0; i < p->n_blocks; i++) {
		uint32_t b = order[i].block;

		if (!in->k || insns >= nearly_all * (double)p->instructions)
			break;
		if (!x.known[b] && cost_from(&x, b, e) != ERR_OK)
			return e->code;
		insns += (double)order[i].insns;
		cycles += x.costs[b].cycles * (double)p->blocks[b].count;
	}
	for (size_t i = 0; i < p->n_blocks; i++)
		if (!x.known[i] && insns > 0)
			x.costs[i].cycles =
				cycles / insns * p->blocks[i].n_insns;
	*ret = x.costs;
	return ERR_OK;
}
