/* Build the dependence graph: registers by their last writer, memory by equal
 * symbolic addresses. */
#include "host/predict/graph.h"
#include "host/isa/catalogue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct last_writer {
	uint32_t op, result;
	int32_t iteration; /* -1: no writer */
};

struct builder {
	struct arena *a;
	struct dep_graph *g;
	struct last_writer last[BODY_UNITS];
	size_t room;
};

static void add_link(struct builder *s, struct link l)
{
	struct dep_graph *g = s->g;

	if (g->n_links == s->room) {
		struct link *more =
			ARENA_ARRAY(s->a, struct link, 2 * s->room + 64);

		if (g->n_links > 0)
			memcpy(more, g->links, g->n_links * sizeof(*more));
		g->links = more;
		s->room = 2 * s->room + 64;
	}
	g->links[g->n_links++] = l;
}

/* ---- registers --------------------------------------------------------- */

static void link_read(struct builder *s, uint32_t to, size_t read)
{
	const struct body *b = s->g->b;
	const struct reg_span *x = &b->ops[to].reads[read];
	size_t before = s->g->n_links;

	for (unsigned k = 0; k < x->span; k++) {
		const struct last_writer *w = &s->last[x->unit + k];
		bool known = w->iteration < 0;

		for (size_t i = before; i < s->g->n_links && !known; i++)
			known = s->g->links[i].from == w->op &&
				s->g->links[i].from_result == w->result;
		if (!known)
			add_link(s,
				 (struct link){
					 .from = w->op,
					 .from_result = w->result,
					 .to = to,
					 .to_read = (uint32_t)read,
					 .distance =
						 (uint32_t)(1 - w->iteration),
				 });
	}
}

static void note_writes(struct builder *s, uint32_t op, int32_t iteration)
{
	const struct op *o = &s->g->b->ops[op];

	for (size_t w = 0; w < o->n_writes; w++)
		for (unsigned k = 0; k < o->writes[w].span; k++)
			s->last[o->writes[w].unit + k] =
				(struct last_writer){ op, (uint32_t)w,
						      iteration };
}

/* ---- memory ------------------------------------------------------------ */

/* What the effects say of data that a store passes to a load. */
static double memory_extra(const struct body *b, uint32_t from, uint32_t to)
{
	double cycles = 0;

	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->memory_link)
			cycles += effects[i]->memory_link(b, from, to);
	return cycles;
}

static double least_period(const struct body *b, uint32_t from, uint32_t to)
{
	double cycles = 0;

	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->memory_period)
			cycles = fmax(cycles,
				      effects[i]->memory_period(b, from, to));
	return cycles;
}

static void link_load(struct builder *s, uint32_t to)
{
	const struct body *b = s->g->b;
	const struct op *load = &b->ops[to];
	uint32_t from, distance;

	if (place_store_of(b, to, &from, &distance))
		add_link(s, (struct link){
				    .from = from,
				    .from_result = (uint32_t)op_memory_result(
					    &b->ops[from]),
				    .to = to,
				    .to_read = (uint32_t)op_memory_read(load),
				    .distance = distance,
				    .extra = memory_extra(b, from, to),
			    });
}

/* ---- least times between loads ----------------------------------------- */

/* A walk from a store back to the loads whose data it stores. */
struct store_walk {
	const struct dep_graph *g;
	const size_t *first; /* links of op i: [first[i], first[i + 1]) */
	uint32_t *ops, *distances;
	size_t n;
	bool *seen;
};

static void walk_add(struct store_walk *w, uint32_t op, uint32_t distance)
{
	if (w->seen[op])
		return;
	w->seen[op] = true;
	w->ops[w->n] = op;
	w->distances[w->n++] = distance;
}

static bool is_forwarded(const struct dep_graph *g, const struct link *l)
{
	const struct op *to = &g->b->ops[l->to];

	return to->load && g->b->ops[l->from].store &&
	       l->to_read == op_memory_read(to) &&
	       l->from_result == op_memory_result(&g->b->ops[l->from]);
}

static bool waits_for_store(const struct store_walk *w, uint32_t op)
{
	for (size_t i = w->first[op]; i < w->first[op + 1]; i++)
		if (is_forwarded(w->g, &w->g->links[i]))
			return true;
	return false;
}

/* A store's address, and what a load waits for, lead to no earlier data. */
static bool walk_passes(const struct store_walk *w, const struct link *l)
{
	const struct op *to = &w->g->b->ops[l->to];

	return l->to_read >= to->n_reads || !to->reads[l->to_read].address;
}

/* Add a link from each load whose data the forwarded store depends on: the load
 * of `l` follows it by `cycles` at least. */
static void add_periods(struct builder *s, struct store_walk *w, struct link l,
			double cycles)
{
	const struct op *load = &s->g->b->ops[l.to];
	double own = op_latency(load, l.to_read, 0);

	memset(w->seen, 0, s->g->b->n * sizeof(*w->seen));
	w->n = 0;
	walk_add(w, l.from, l.distance);
	for (size_t at = 0; at < w->n; at++) {
		uint32_t op = w->ops[at], distance = w->distances[at];

		if (at > 0 && waits_for_store(w, op)) {
			add_link(s, (struct link){ .from = op,
						   .to = l.to,
						   .to_read = l.to_read,
						   .distance = distance,
						   .extra = cycles - own });
			continue;
		}
		for (size_t i = w->first[op]; i < w->first[op + 1]; i++) {
			const struct link *x = &s->g->links[i];

			if (walk_passes(w, x))
				walk_add(w, x->from, distance + x->distance);
		}
	}
}

static int link_by_op(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->to_read > y->to_read) - (x->to_read < y->to_read);
}

/* Chains through memory whose instances take different times: the data comes as
 * early as from the cache, but not within the least time after the load before
 * it. */
static void link_periods(struct builder *s)
{
	struct dep_graph *g = s->g;
	size_t n_ops = g->b->n, n = g->n_links, *first;
	struct store_walk w = { .g = g };

	first = ARENA_ARRAY(s->a, size_t, n_ops + 1);
	for (size_t i = 0; i < n; i++)
		first[g->links[i].to + 1] = i + 1;
	for (size_t op = 1; op <= n_ops; op++)
		if (first[op] < first[op - 1])
			first[op] = first[op - 1];
	w.first = first;
	w.ops = ARENA_ARRAY(s->a, uint32_t, n_ops);
	w.distances = ARENA_ARRAY(s->a, uint32_t, n_ops);
	w.seen = ARENA_ARRAY(s->a, bool, n_ops);
	for (size_t i = 0; i < n; i++) {
		struct link l = g->links[i];
		double cycles = is_forwarded(g, &l)
					? least_period(g->b, l.from, l.to)
					: 0;

		if (cycles > 0)
			add_periods(s, &w, l, cycles);
	}
	if (g->n_links > n)
		qsort(g->links, g->n_links, sizeof(*g->links), link_by_op);
}

/* ---- bypasses ---------------------------------------------------------- */

/* The op that computes the value that an eliminated move copies; any other op
 * itself. source: the op from which each op has its first source. */
static uint32_t graph_origin(const struct body *b, const uint32_t *source,
			     uint32_t op)
{
	for (size_t i = 0; i < b->n && b->ops[op].eliminated; i++)
		op = source[op];
	return op;
}

/* What the model's bypasses and the effects say. */
static double link_extra(const struct body *b, const struct op *from,
			 const struct op *to, const struct reg_span *source)
{
	double cycles =
		model_bypass(b->model, from->form, to->form, source->operand);

	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->link)
			cycles = effects[i]->link(b, from, to, source, cycles);
	return cycles;
}

static bool has_delays(const struct model *m)
{
	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->link &&
		    (!effects[i]->list || m->effects[i].n > 0))
			return true;
	return m->n_bypass > 0;
}

/* Bypasses of registers: between what computes a value and what uses it.
 * Eliminated moves between them neither add one nor remove it. */
static void link_bypasses(struct builder *s)
{
	const struct body *b = s->g->b;
	uint32_t *source = ARENA_ARRAY(s->a, uint32_t, b->n);

	if (!has_delays(b->model))
		return;
	for (uint32_t i = 0; i < b->n; i++)
		source[i] = i;
	for (size_t i = s->g->n_links; i-- > 0;)
		if (s->g->links[i].to_read == 0)
			source[s->g->links[i].to] = s->g->links[i].from;
	for (size_t i = 0; i < s->g->n_links; i++) {
		struct link *l = &s->g->links[i];
		const struct op *to = &b->ops[l->to];
		const struct op *from =
			&b->ops[graph_origin(b, source, l->from)];

		if (l->to_read < to->n_reads && to->form && from->form &&
		    !to->eliminated && !from->eliminated)
			l->extra =
				link_extra(b, from, to, &to->reads[l->to_read]);
	}
}

/* ---- results ----------------------------------------------------------- */

static void number_results(struct builder *s)
{
	struct dep_graph *g = s->g;
	size_t n = 0;

	g->first_result = ARENA_ARRAY(s->a, uint32_t, g->b->n + 1);
	for (size_t i = 0; i < g->b->n; i++) {
		g->first_result[i] = (uint32_t)n;
		n += op_n_results(&g->b->ops[i]);
	}
	g->first_result[g->b->n] = (uint32_t)n;
	g->n_results = n;
	g->op_of = ARENA_ARRAY(s->a, uint32_t, n + 1);
	for (size_t i = 0; i < g->b->n; i++)
		for (uint32_t r = g->first_result[i];
		     r < g->first_result[i + 1]; r++)
			g->op_of[r] = (uint32_t)i;
}

static void make_edges(struct builder *s)
{
	struct dep_graph *g = s->g;
	size_t n = 0;

	for (size_t l = 0; l < g->n_links; l++)
		n += op_n_results(&g->b->ops[g->links[l].to]);
	g->edges = ARENA_ARRAY(s->a, struct edge, n + 1);
	for (size_t l = 0; l < g->n_links; l++) {
		const struct link *x = &g->links[l];
		const struct op *to = &g->b->ops[x->to];

		for (size_t w = 0; w < op_n_results(to); w++) {
			double cycles = op_latency(to, x->to_read, w);

			if (cycles < 0)
				continue;
			g->edges[g->n_edges++] = (struct edge){
				.from = g->first_result[x->from] +
					x->from_result,
				.to = g->first_result[x->to] + (uint32_t)w,
				.distance = x->distance,
				.link = (uint32_t)l,
				.cycles = fmax(0, cycles + x->extra),
			};
		}
	}
}

void graph_build(struct arena *a, const struct body *b, struct dep_graph *ret)
{
	struct dep_graph g = { .b = b };
	struct builder s = { .a = a, .g = &g };

	for (size_t u = 0; u < BODY_UNITS; u++)
		s.last[u].iteration = -1;
	for (uint32_t i = 0; i < b->n; i++)
		note_writes(&s, i, 0);
	for (uint32_t i = 0; i < b->n; i++) {
		for (size_t r = 0; r < b->ops[i].n_reads; r++)
			link_read(&s, i, r);
		if (b->ops[i].load)
			link_load(&s, i);
		note_writes(&s, i, 1);
	}
	link_bypasses(&s);
	link_periods(&s);
	number_results(&s);
	make_edges(&s);
	*ret = g;
}
