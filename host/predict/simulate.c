/* What all simulators share: sizes of the queues, and their state. */
#include "host/predict/simulate.h"

#include <math.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/predict/sim.h"

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

static void set_sizes(struct sim *m)
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
	m->general = model->general_queue;
	m->release = model->general_release;
	m->loads = at_most(model->load_queue, MOST_ENTRIES);
	m->registers = at_most(model->vector_registers, MOST_ENTRIES);
	m->refill = at_most(model->refill, MOST_CYCLES);
	known = m->queue > 0 || m->loads > 0 || m->registers > 0;
	m->out->sizes_assumed = !model->in_order && m->window == 0 && !known;
	if (m->window == 0)
		m->window = known ? AMPLE_WINDOW : ASSUMED_WINDOW;
}

static void set_ops(struct sim *m)
{
	m->ops = ARENA_ARRAY(m->a, struct sim_op, m->b->n + 1);
	for (size_t i = 0; i < m->b->n; i++) {
		const struct op *o = &m->b->ops[i];

		m->ops[i] = (struct sim_op){
			.slots = simulate_whole(o->slots),
			.room = o->room,
			.most_before = o->max_slots_before,
			.registers = n_registers(o),
			.load = o->load,
			.queued = op_waits_with_vectors(o),
		};
		m->slots += m->ops[i].slots;
	}
	/* Twice the length of the window. */
	m->least = 8 + 2 * m->window / (m->slots ? m->slots : 1);
}

static void set_history(struct sim *m)
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
		room += sim_most_iterations(m);
	for (m->history = 1; m->history < room;)
		m->history *= 2;
	m->ready = ARENA_ARRAY(m->a, int64_t, m->history * (g->n_results + 1));
}

void sim_open(struct sim *m, struct arena *a, const struct dep_graph *g,
	      const struct pressure *p, const struct sim_options *o,
	      struct simulation *out)
{
	size_t n;

	*out = (struct simulation){ 0 };
	*m = (struct sim){ .a = a,
			   .g = g,
			   .b = g->b,
			   .pressure = p,
			   .fetch = o->fetch,
			   .record = o->record,
			   .out = out };
	n = sim_most_iterations(m);
	m->ends = ARENA_ARRAY(a, struct sim_end, n);
	if (m->record)
		out->events = ARENA_ARRAY(a, struct sim_event, g->b->n * n);
	set_sizes(m);
	set_ops(m);
	set_history(m);
	sim_find_dependencies(m);
	sim_split_uops(m);
}

void simulate(struct arena *a, const struct dep_graph *g,
	      const struct pressure *p, const struct sim_options *o,
	      struct simulation *ret)
{
	struct sim m;

	sim_open(&m, a, g, p, o, ret);
	if (m.b->model->in_order)
		sim_run_in_order(&m);
	else
		sim_run_out_of_order(&m);
	if (m.record)
		sim_find_stalls(&m);
}
