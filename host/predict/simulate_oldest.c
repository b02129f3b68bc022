/* An out-of-order core, cycle by cycle: retire in order, start what is ready
 * oldest first, dispatch in order. */
#include <math.h>
#include <string.h>

#include "host/predict/machine.h"

enum { MAX_UOPS = 64 }; /* of one instruction that are told apart */

struct entry {
	uint32_t op, iteration;
	int64_t dispatched, ready, started, done;
	uint64_t left; /* uops without a port yet */
	bool finished; /* all started: `done` is known */
};

struct uop {
	model_ports ports; /* those of the best sharing */
	double cycles;
};

struct uops {
	size_t n;
	const struct uop *list;
};

struct core {
	struct machine *m;
	struct uops *uops; /* of each op */
	struct entry *ring;
	size_t room;
	uint64_t head, tail; /* retired and dispatched instructions */
	uint64_t *waiting;   /* of the ring, oldest first */
	size_t n_waiting, n_waiting_uops, n_queued;
	uint32_t n_loads, n_registers; /* not retired */
	uint32_t in_window;            /* slots */
	uint32_t next_op, next_iteration;
	uint32_t owed; /* slots the next instruction still needs */
	bool begun;
	int64_t now;
	double free_at[MODEL_MAX_PORTS];
	double used[MODEL_MAX_PORTS]; /* cycles taken so far */
	double elapsed;               /* iterations begun */
	enum sim_hold hold;           /* of this cycle's dispatch */
	bool done;
};

/* ---- setting up -------------------------------------------------------- */

/* Ports on which the best sharing puts some of this use. */
static model_ports shared(const struct machine *m, uint32_t op,
			  model_ports ports)
{
	const struct pressure *p = m->pressure;
	model_ports kept = 0;

	for (size_t k = 0; k < p->n_ports; k++)
		if ((ports >> k & 1) && p->share[op * p->n_ports + k] > 1e-3)
			kept |= (model_ports)1 << k;
	return kept ? kept : ports;
}

static void split(struct core *c, uint32_t op)
{
	const struct op *o = &c->m->b->ops[op];
	struct uop *list = ARENA_ARRAY(c->m->a, struct uop, MAX_UOPS);
	size_t n = 0;

	for (size_t u = 0; u < o->n_uses; u++) {
		const struct model_use *x = &o->uses[u];
		long parts = lround(ceil(x->n_uops - 1e-9));

		/* Parts of a uop keep its cycles. */
		for (long k = 0; k < parts && n < MAX_UOPS; k++)
			list[n++] = (struct uop){
				.ports = shared(c->m, op, x->ports),
				.cycles = x->n_uops * x->cycles / (double)parts,
			};
	}
	c->uops[op] = (struct uops){ n, list };
}

static void open_core(struct core *c, struct machine *m)
{
	*c = (struct core){ .m = m };
	c->uops = ARENA_ARRAY(m->a, struct uops, m->b->n);
	for (uint32_t i = 0; i < m->b->n; i++)
		split(c, i);
	/* Fused instructions have no slot of their own. */
	c->room = 2 * (size_t)m->window + 64;
	c->ring = ARENA_ARRAY(m->a, struct entry, c->room);
	c->waiting = ARENA_ARRAY(m->a, uint64_t, c->room);
}

/* ---- a cycle ----------------------------------------------------------- */

/* How long entries are held beyond the end: what is dispatched then starts in
 * the next cycle at the earliest, which is part of it. */
static int64_t hold_cycles(const struct machine *m)
{
	return m->refill > 1 ? m->refill - 1 : 0;
}

static void retire(struct core *c)
{
	struct machine *m = c->m;

	while (c->head < c->tail && !c->done) {
		struct entry *x = &c->ring[c->head % c->room];

		if (!x->finished || x->done + hold_cycles(m) > c->now)
			return;
		c->in_window -= m->op_slots[x->op];
		c->n_loads -= m->b->ops[x->op].load;
		c->n_registers -= m->op_registers[x->op];
		c->head++;
		machine_event(m, x->iteration, x->op, x->dispatched, x->started,
			      x->done, c->now);
		if (x->op + 1 == m->b->n)
			c->done = machine_iteration(m, c->now);
	}
}

/* The free port that has been used least. */
static bool take_port(struct core *c, const struct uop *u)
{
	size_t best = MODEL_MAX_PORTS;

	for (size_t p = 0; p < c->m->b->model->n_ports; p++)
		if ((u->ports >> p & 1) &&
		    c->free_at[p] < (double)c->now + 1 - 1e-9 &&
		    (best == MODEL_MAX_PORTS || c->used[p] < c->used[best]))
			best = p;
	if (best == MODEL_MAX_PORTS)
		return false;
	c->free_at[best] = fmax(c->free_at[best], (double)c->now) + u->cycles;
	c->used[best] += u->cycles;
	return true;
}

/* Give ports to what is left of an instruction; all of it started? */
static bool start_uops(struct core *c, struct entry *x)
{
	const struct uops *u = &c->uops[x->op];

	for (size_t k = 0; k < u->n; k++)
		if ((x->left >> k & 1) && take_port(c, &u->list[k])) {
			x->left &= ~((uint64_t)1 << k);
			c->n_waiting_uops--;
		}
	return x->left == 0;
}

static void finish(struct core *c, struct entry *x, int64_t start)
{
	x->started = start;
	x->done = machine_results(c->m, x->op, x->iteration, start);
	x->finished = true;
}

static int64_t first_start(const struct core *c, const struct entry *x)
{
	int64_t data = machine_start(c->m, x->op, x->iteration);
	int64_t loaded = x->dispatched + 1 + c->m->lead[x->op];

	return data > loaded ? data : loaded;
}

static bool issue(struct core *c)
{
	size_t kept = 0;
	bool any = false;

	for (size_t i = 0; i < c->n_waiting; i++) {
		struct entry *x = &c->ring[c->waiting[i] % c->room];

		if (x->ready == MACHINE_UNKNOWN && c->m->has_early[x->op])
			machine_early(c->m, x->op, x->iteration,
				      x->dispatched + 1);
		if (x->ready == MACHINE_UNKNOWN)
			x->ready = first_start(c, x);
		if (x->ready <= c->now && x->dispatched < c->now &&
		    start_uops(c, x)) {
			finish(c, x, c->now);
			c->n_queued -= c->m->queued[x->op];
			any = true;
			continue;
		}
		c->waiting[kept++] = c->waiting[i];
	}
	c->n_waiting = kept;
	return any;
}

static void begin(struct core *c)
{
	struct machine *m = c->m;
	const struct graph *g = m->g;
	int64_t *r = &m->ready[c->next_iteration % m->history * g->n_results +
			       g->first_result[c->next_op]];

	for (uint32_t k = g->first_result[c->next_op];
	     k < g->first_result[c->next_op + 1]; k++)
		*r++ = MACHINE_UNKNOWN;
	c->owed = m->op_slots[c->next_op];
	c->begun = true;
}

static void enter(struct core *c)
{
	struct machine *m = c->m;
	struct entry *x = &c->ring[c->tail % c->room];
	size_t n = c->uops[c->next_op].n;

	*x = (struct entry){ .op = c->next_op,
			     .iteration = c->next_iteration,
			     .dispatched = c->now,
			     .ready = MACHINE_UNKNOWN };
	x->left = n == MAX_UOPS ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
	c->n_waiting_uops += n;
	c->n_queued += c->m->queued[c->next_op];
	c->n_loads += m->b->ops[c->next_op].load;
	c->n_registers += m->op_registers[c->next_op];
	c->waiting[c->n_waiting++] = c->tail++;
	c->begun = false;
	if (++c->next_op == m->b->n) {
		c->next_op = 0;
		c->next_iteration++;
	}
}

/* Does something keep the next instruction back? */
static enum sim_hold held(const struct core *c)
{
	const struct machine *m = c->m;
	uint32_t least = m->scheduler ? m->scheduler : m->window;

	if (c->in_window + c->owed > m->window && c->head < c->tail)
		return SIM_HOLD_WINDOW;
	if (c->n_waiting_uops > 0 &&
	    c->n_waiting_uops + c->uops[c->next_op].n > least)
		return SIM_HOLD_SCHEDULER;
	if (m->queue > 0 && m->queued[c->next_op] && c->n_queued == m->queue)
		return SIM_HOLD_VECTORS;
	if (m->loads > 0 && m->b->ops[c->next_op].load &&
	    c->n_loads == m->loads)
		return SIM_HOLD_LOADS;
	if (m->registers > 0 && c->n_registers > 0 &&
	    c->n_registers + m->op_registers[c->next_op] > m->registers)
		return SIM_HOLD_REGISTERS;
	return SIM_HOLD_NOTHING;
}

static bool dispatch(struct core *c)
{
	struct machine *m = c->m;
	uint32_t left = m->width;
	bool any = false;

	for (;;) {
		uint32_t n;

		c->hold = SIM_HOLD_NOTHING;
		if (c->tail - c->head == c->room)
			return any;
		if (!c->begun)
			begin(c);
		c->hold = held(c);
		if (c->hold != SIM_HOLD_NOTHING)
			return any;
		/* The rest of the cycle stays empty. */
		if (c->owed == m->op_slots[c->next_op] && left < m->width &&
		    left < m->b->ops[c->next_op].room)
			return true;
		n = c->owed < left ? c->owed : left;
		c->owed -= n;
		left -= n;
		c->in_window += n;
		any = any || n > 0;
		if (c->owed > 0)
			return any;
		enter(c);
		if (left == 0 && m->op_slots[c->next_op] > 0)
			return true;
	}
}

/* Nothing moved: the next cycle in which something may. */
static int64_t next_time(const struct core *c)
{
	int64_t next = INT64_MAX;
	const struct entry *x = &c->ring[c->head % c->room];

	if (c->head < c->tail && x->finished &&
	    x->done + hold_cycles(c->m) > c->now)
		next = x->done + hold_cycles(c->m);
	for (size_t i = 0; i < c->n_waiting; i++) {
		int64_t at = c->ring[c->waiting[i] % c->room].ready;

		if (at <= c->now)
			return c->now + 1;
		next = at < next ? at : next;
	}
	return next == INT64_MAX ? c->now + 1 : next;
}

void machine_run_oldest_first(struct machine *m)
{
	/* A bound of our own: no loop needs as many cycles for its steps. */
	enum { MAX_CYCLES = 20 * 1000 * 1000 };
	struct core c;

	open_core(&c, m);
	while (!c.done && c.now < MAX_CYCLES) {
		int64_t before = c.now;
		bool moved;

		retire(&c);
		moved = issue(&c);
		moved = dispatch(&c) || moved;
		c.now = moved ? c.now + 1 : next_time(&c);
		m->out->held[c.hold] += (uint64_t)(c.now - before);
	}
	m->out->elapsed = (uint64_t)c.now;
}
