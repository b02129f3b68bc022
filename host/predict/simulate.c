/* What all simulators share: sizes of the queues, and their state. */
#include "host/predict/simulate.h"

#include <math.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/predict/machine.h"

/* Limits for values in a model. No core is larger, and time and memory grow
 * with them. */
enum { MOST_ENTRIES = 1 << 14, MOST_SLOTS = 1 << 10, MOST_CYCLES = 1 << 20 };

static uint32_t at_most(uint32_t x, uint32_t most)
{
	return x < most ? x : most;
}

static uint32_t simulate_whole(double x)
{
	return x > 0.5 ? (uint32_t)lround(fmin(x, MOST_SLOTS)) : 0;
}

/* Vector registers that an op occupies. An op of several slots also occupies
 * registers for its intermediate results. */
static uint32_t n_registers(const struct op *o)
{
	if (o->eliminated || o->is_zero_idiom || !op_writes_vectors(o))
		return 0;
	return o->slots > 1 ? simulate_whole(o->slots) : 1;
}

static void set_sizes(struct sim_machine *m)
{
	/* Use a large window when another known limit applies first. */
	enum { ASSUMED_WINDOW = 256, AMPLE_WINDOW = 1024 };
	const struct model *model = m->b->model;
	bool known;

	m->width =
		model->width.has_value ? simulate_whole(model->width.high) : 0;
	if (m->width == 0)
		m->width = m->b->program->c->isa->max_issue_width;
	m->window = at_most(model->reorder_buffer, MOST_ENTRIES);
	m->binds_ports = model->binds_ports;
	m->scheduler = model->scheduler;
	m->queue = model->vector_queue;
	m->loads = at_most(model->load_queue, MOST_ENTRIES);
	m->registers = at_most(model->vector_registers, MOST_ENTRIES);
	m->refill = at_most(model->refill, MOST_CYCLES);
	known = m->queue > 0 || m->loads > 0 || m->registers > 0;
	m->assumed = !model->in_order && m->window == 0 && !known;
	if (m->window == 0)
		m->window = known ? AMPLE_WINDOW : ASSUMED_WINDOW;
	for (size_t i = 0; i < m->b->n; i++) {
		m->queued[i] = op_waits_with_vectors(&m->b->ops[i]);
		m->op_slots[i] = simulate_whole(m->b->ops[i].slots);
		m->op_registers[i] = n_registers(&m->b->ops[i]);
		m->slots += m->op_slots[i];
	}
	/* Twice the length of the window. */
	m->least = 8 + 2 * m->window / (m->slots ? m->slots : 1);
}

static void set_history(struct sim_machine *m)
{
	const struct dep_graph *g = m->g;
	uint32_t farthest = 1, room;

	for (size_t i = 0; i < g->n_links; i++)
		if (g->links[i].distance > farthest)
			farthest = g->links[i].distance;
	/* Each instruction in the window may belong to another iteration, and
	 * fused ones need no slot. */
	room = farthest + 4 + (2 * m->window + 64) / (uint32_t)m->b->n;
	if (m->record)
		room += machine_most_iterations(m);
	for (m->history = 1; m->history < room;)
		m->history *= 2;
}

void machine_open(struct sim_machine *m, struct arena *a,
		  const struct dep_graph *g, const struct pressure *p,
		  const struct sim_options *o, struct simulation *out)
{
	size_t n = g->b->n;

	*m = (struct sim_machine){ .a = a,
				   .g = g,
				   .b = g->b,
				   .pressure = p,
				   .fetch = o->fetch,
				   .record = o->record,
				   .out = out };
	m->op_slots = ARENA_ARRAY(a, uint32_t, n);
	m->op_registers = ARENA_ARRAY(a, uint32_t, n);
	m->queued = ARENA_ARRAY(a, bool, n);
	m->ends = ARENA_ARRAY(a, struct sim_end, machine_most_iterations(m));
	set_sizes(m);
	set_history(m);
	machine_find_dependencies(m);
	m->ready = ARENA_ARRAY(a, int64_t, m->history * (g->n_results + 1));
	out->sizes_assumed = m->assumed;
	if (m->record)
		out->events = ARENA_ARRAY(a, struct sim_event,
					  n * machine_most_iterations(m));
}

int64_t machine_fetched(const struct sim_machine *m, uint32_t iteration)
{
	/* Sums of fractions such as 1/3 are not exact. */
	return m->fetch > 0 ? (int64_t)ceil(iteration * m->fetch - 1e-6) : 0;
}

void machine_event(struct sim_machine *m, uint32_t iteration, uint32_t op,
		   int64_t dispatched, enum sim_hold hold, int64_t started,
		   int64_t done, int64_t retired, model_ports taken)
{
	struct simulation *s = m->out;

	if (!m->record)
		return;
	s->events[s->n_events++] = (struct sim_event){
		.iteration = iteration,
		.op = op,
		.dispatched = (uint32_t)dispatched,
		.started = (uint32_t)started,
		.done = (uint32_t)done,
		.retired = (uint32_t)retired,
		.hold = hold,
		.taken = taken,
	};
}

void simulate(struct arena *a, const struct dep_graph *g,
	      const struct pressure *p, const struct sim_options *o,
	      struct simulation *ret)
{
	struct sim_machine m;

	*ret = (struct simulation){ 0 };
	machine_open(&m, a, g, p, o, ret);
	if (m.b->model->in_order)
		machine_run_in_order(&m);
	else if (o->policy == SIM_IDEAL_PORTS)
		machine_run_ideal(&m);
	else
		machine_run_oldest_first(&m);
	if (o->policy == SIM_IDEAL_PORTS && p->bound > ret->cycles)
		ret->cycles = p->bound;
	else if (o->record && o->policy != SIM_IDEAL_PORTS)
		machine_find_stalls(&m);
}
