/* What the simulators share: times of results, and when the loop repeats. */
#include "host/predict/simulate.h"

#include <math.h>
#include <string.h>

#include "host/predict/machine.h"

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static uint32_t whole(double x)
{
	return x > 0.5 ? (uint32_t)lround(x) : 0;
}

/* What takes several slots holds what it hands on from one to the next, too. */
static uint32_t n_registers(const struct op *o)
{
	if (o->eliminated || o->no_wait || !op_writes_vectors(o))
		return 0;
	return o->slots > 1 ? whole(o->slots) : 1;
}

static void set_sizes(struct machine *m)
{
	/* What is not known does not limit where something else does. */
	enum { ASSUMED_WINDOW = 256, AMPLE_WINDOW = 1024 };
	const struct model *model = m->b->model;
	bool known;

	m->width = model->width.has_value ? whole(model->width.high) : 0;
	if (m->width == 0)
		m->width = m->b->program->c->isa->max_issue_width;
	m->window = model->reorder_buffer;
	m->scheduler = model->scheduler;
	m->queue = model->vector_queue;
	m->loads = model->load_queue;
	m->registers = model->vector_registers;
	m->refill = model->refill;
	known = m->queue > 0 || m->loads > 0 || m->registers > 0;
	m->assumed = !model->in_order && m->window == 0 && !known;
	if (m->window == 0)
		m->window = known ? AMPLE_WINDOW : ASSUMED_WINDOW;
	for (size_t i = 0; i < m->b->n; i++) {
		m->queued[i] = op_computes_vectors(&m->b->ops[i]);
		m->op_slots[i] = whole(m->b->ops[i].slots);
		m->op_registers[i] = n_registers(&m->b->ops[i]);
		m->slots += m->op_slots[i];
	}
	/* Twice through the window. */
	m->least = 8 + 2 * m->window / (m->slots ? m->slots : 1);
}

static void copy_links(struct machine *m)
{
	const struct graph *g = m->g;
	uint32_t farthest = 1;
	size_t l = 0;

	for (uint32_t i = 0; i <= m->b->n; i++) {
		while (l < g->n_links && g->links[l].to < i)
			l++;
		m->first_link[i] = (uint32_t)l;
	}
	for (size_t i = 0; i < g->n_links; i++)
		if (g->links[i].distance > farthest)
			farthest = g->links[i].distance;
	/* Each instruction in the window may be an iteration of its own, and
	 * fused ones need no slot. */
	m->history = farthest + 4 + (2 * m->window + 64) / (uint32_t)m->b->n;
}

/* ---- when an op starts ------------------------------------------------- */

static double longest(const struct op *o, size_t result, bool address)
{
	double most = 0;

	for (size_t r = 0; r <= o->n_reads + 1; r++)
		if (address || (r < o->n_reads && !o->reads[r].address))
			most = fmax(most, op_latency(o, r, result));
	return most;
}

/* It loads, and computes with what is in registers: two uops that start apart.
 * In order both wait for everything. */
static bool computes_later(const struct machine *m, const struct op *o)
{
	if (!o->load || m->b->model->in_order)
		return false;
	for (size_t r = 0; r < o->n_reads; r++)
		if (!o->reads[r].address)
			return true;
	return false;
}

/* Cycles from the start of what computes to a result. */
static double own_cycles(const struct machine *m, const struct op *o,
			 size_t result)
{
	return longest(o, result, !computes_later(m, o));
}

/* How much later than the start a source may come; below zero: it must be
 * there before. */
static double slack(const struct machine *m, const struct op *o, size_t read)
{
	double least = INFINITY;

	for (size_t w = 0; w < op_n_results(o); w++)
		if (op_latency(o, read, w) >= 0)
			least = fmin(least, own_cycles(m, o, w) -
						    op_latency(o, read, w));
	return isfinite(least) ? least : 0;
}

static void find_starts(struct machine *m)
{
	const struct graph *g = m->g;

	for (size_t i = 0; i < g->n_links; i++)
		m->slack[i] = (int32_t)lround(slack(
			m, &m->b->ops[g->links[i].to], g->links[i].to_read));
	for (uint32_t i = 0; i < m->b->n; i++) {
		const struct op *o = &m->b->ops[i];

		for (size_t w = 0; w < op_n_results(o); w++)
			m->own[g->first_result[i] + w] =
				(int32_t)lround(own_cycles(m, o, w));
		for (size_t r = 0; r < o->n_reads && !o->eliminated; r++) {
			long lead = o->reads[r].address
					    ? -lround(slack(m, o, r))
					    : 0;

			if (lead > m->lead[i])
				m->lead[i] = (int32_t)lead;
		}
	}
}

/* Does a result come without something that another of the op waits for? */
static bool is_early(const struct op *o, size_t result)
{
	for (size_t r = 0; r <= op_memory_read(o); r++)
		if (op_latency(o, r, result) < 0)
			return true;
	return false;
}

static void find_early(struct machine *m)
{
	const struct graph *g = m->g;

	for (uint32_t i = 0; i < m->b->n; i++)
		for (size_t w = 0; w < op_n_results(&m->b->ops[i]); w++) {
			bool early = is_early(&m->b->ops[i], w);

			m->early[g->first_result[i] + w] = early;
			m->has_early[i] |= early;
		}
}

void machine_open(struct machine *m, struct arena *a, const struct graph *g,
		  const struct pressure *p, struct simulation *out)
{
	size_t n = g->b->n;

	*m = (struct machine){
		.a = a, .g = g, .b = g->b, .pressure = p, .out = out
	};
	m->op_slots = ARENA_ARRAY(a, uint32_t, n);
	m->op_registers = ARENA_ARRAY(a, uint32_t, n);
	m->queued = ARENA_ARRAY(a, bool, n);
	m->first_link = ARENA_ARRAY(a, uint32_t, n + 1);
	m->ends = ARENA_ARRAY(a, int64_t, MACHINE_MAX_ITERATIONS);
	m->slack = ARENA_ARRAY(a, int32_t, g->n_links + 1);
	m->own = ARENA_ARRAY(a, int32_t, g->n_results + 1);
	m->lead = ARENA_ARRAY(a, int32_t, n);
	m->early = ARENA_ARRAY(a, bool, g->n_results + 1);
	m->has_early = ARENA_ARRAY(a, bool, n);
	set_sizes(m);
	copy_links(m);
	find_early(m);
	find_starts(m);
	m->ready = ARENA_ARRAY(a, int64_t, m->history * (g->n_results + 1));
	out->sizes_assumed = m->assumed;
	out->events = ARENA_ARRAY(a, struct sim_event, MACHINE_TIMELINE_STEPS);
}

static int64_t *results_of(const struct machine *m, uint32_t op,
			   uint32_t iteration)
{
	return &m->ready[iteration % m->history * m->g->n_results +
			 m->g->first_result[op]];
}

/* When a source arrives; 0: long ago. */
static int64_t arrival(const struct machine *m, const struct link *l,
		       uint32_t iteration)
{
	const struct op *to = &m->b->ops[l->to];
	double cycles = fmax(0, op_latency(to, l->to_read, 0));
	int64_t at;

	if (l->distance > iteration)
		return 0;
	at = results_of(m, l->from, iteration - l->distance)[l->from_result];
	/* Both together are whole, their parts need not be. */
	return at == MACHINE_UNKNOWN
		       ? at
		       : at + (int64_t)(lround(cycles + l->extra) -
					lround(cycles));
}

int64_t machine_start(const struct machine *m, uint32_t op, uint32_t iteration)
{
	const struct op *o = &m->b->ops[op];
	int64_t start = 0;

	for (uint32_t l = m->first_link[op]; l < m->first_link[op + 1]; l++) {
		const struct link *x = &m->g->links[l];
		int64_t at = arrival(m, x, iteration);

		if (at == MACHINE_UNKNOWN)
			return at;
		if (!o->eliminated)
			start = later(start, at - m->slack[l]);
	}
	return start;
}

/* When its own sources let a result be there that is begun on at `start`. */
static int64_t early_result(const struct machine *m, uint32_t op,
			    uint32_t iteration, size_t w, int64_t start)
{
	const struct op *o = &m->b->ops[op];
	int64_t ready = start + (int64_t)lround(longest(o, w, true));

	for (uint32_t l = m->first_link[op]; l < m->first_link[op + 1]; l++) {
		const struct link *x = &m->g->links[l];
		double cycles = op_latency(o, x->to_read, w);
		int64_t at;

		if (cycles < 0)
			continue;
		at = arrival(m, x, iteration);
		if (at == MACHINE_UNKNOWN)
			return at;
		ready = later(ready, at + (int64_t)lround(cycles));
	}
	return ready;
}

void machine_early(struct machine *m, uint32_t op, uint32_t iteration,
		   int64_t start)
{
	const bool *early = &m->early[m->g->first_result[op]];
	int64_t *ready = results_of(m, op, iteration);

	for (size_t w = 0; w < op_n_results(&m->b->ops[op]); w++)
		if (early[w])
			ready[w] = early_result(m, op, iteration, w, start);
}

int64_t machine_results(struct machine *m, uint32_t op, uint32_t iteration,
			int64_t start)
{
	const struct op *o = &m->b->ops[op];
	int64_t *ready = results_of(m, op, iteration);
	int64_t end = start + (o->eliminated ? 0 : 1);

	for (size_t w = 0; w < op_n_results(o); w++) {
		if (m->early[m->g->first_result[op] + w])
			continue;
		ready[w] = start + m->own[m->g->first_result[op] + w];
		for (uint32_t l = m->first_link[op]; l < m->first_link[op + 1];
		     l++) {
			const struct link *x = &m->g->links[l];
			double cycles = op_latency(o, x->to_read, w);

			if (cycles < 0)
				continue;
			ready[w] = later(ready[w],
					 arrival(m, x, iteration) +
						 (int64_t)lround(cycles));
		}
		end = later(end, ready[w]);
	}
	return end;
}

void machine_event(struct machine *m, uint32_t iteration, uint32_t op,
		   int64_t dispatched, int64_t started, int64_t done,
		   int64_t retired)
{
	struct simulation *s = m->out;

	if (s->n_events == MACHINE_TIMELINE_STEPS)
		return;
	s->events[s->n_events++] = (struct sim_event){
		.iteration = iteration,
		.op = op,
		.dispatched = (uint32_t)dispatched,
		.started = (uint32_t)started,
		.done = (uint32_t)done,
		.retired = (uint32_t)retired,
	};
}

/* Have the last iterations, three periods of n and 48 at least, taken the same
 * cycles one by one as those n before? */
static bool repeats(const int64_t *ends, uint32_t n_ends, uint32_t n)
{
	enum { TIMES = 3, LEAST = 48 };
	uint32_t seen = TIMES * n > LEAST ? TIMES * n : LEAST;

	if (n_ends < seen + n + 1)
		return false;
	for (uint32_t i = 0; i < seen - n; i++) {
		const int64_t *at = &ends[n_ends - 1 - i];

		if (at[0] - at[-1] != *(at - n) - *(at - n - 1))
			return false;
	}
	return true;
}

bool machine_iteration(struct machine *m, int64_t end)
{
	enum { MAX_PERIOD = 64 };
	struct simulation *s = m->out;
	uint32_t n = m->n_ends;

	m->ends[n++] = end;
	m->n_ends = n;
	s->simulated = n;
	/* Looked for now and then: it costs as much as an iteration. */
	for (uint32_t p = 1; n > m->least && n % 8 == 0 && p <= MAX_PERIOD;
	     p++) {
		if (!repeats(m->ends, n, p))
			continue;
		s->steady = true;
		s->period = p;
		s->cycles = (double)(end - m->ends[n - 1 - p]) / p;
		return true;
	}
	if (n < MACHINE_MAX_ITERATIONS &&
	    (n < 3 || n * m->b->n < MACHINE_MAX_STEPS))
		return false;
	s->period = n / 2;
	s->cycles = (double)(end - m->ends[n - 1 - n / 2]) / (n / 2);
	return true;
}

void simulate(struct arena *a, const struct graph *g, const struct pressure *p,
	      enum sim_policy policy, struct simulation *ret)
{
	struct machine m;

	*ret = (struct simulation){ 0 };
	machine_open(&m, a, g, p, ret);
	if (m.b->model->in_order)
		machine_run_in_order(&m);
	else if (policy == SIM_IDEAL_PORTS)
		machine_run_ideal(&m);
	else
		machine_run_oldest_first(&m);
	if (policy == SIM_IDEAL_PORTS && p->bound > ret->cycles)
		ret->cycles = p->bound;
}
