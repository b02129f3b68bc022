/* An out-of-order core, cycle by cycle: retire in order, start what is ready
 * oldest first, dispatch in order. */
#include <math.h>

#include "host/predict/core.h"

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

static long n_parts(const struct model_use *x)
{
	return lround(ceil(x->n_uops - 1e-9));
}

static uint32_t count_uops(const struct op *o)
{
	long n = 0;

	for (size_t u = 0; u < o->n_uses && n < CORE_MAX_UOPS; u++) {
		long parts = n_parts(&o->uses[u]);

		if (parts > 0)
			n += parts < CORE_MAX_UOPS ? parts : CORE_MAX_UOPS;
	}
	return (uint32_t)(n < CORE_MAX_UOPS ? n : CORE_MAX_UOPS);
}

static void split(struct core *c, uint32_t op)
{
	const struct op *o = &c->m->b->ops[op];
	struct step *s = &c->steps[op];
	uint32_t room = count_uops(o);
	struct uop *list = ARENA_ARRAY(c->m->a, struct uop, room + 1);

	s->uops = list;
	for (size_t u = 0; u < o->n_uses; u++) {
		const struct model_use *x = &o->uses[u];
		long parts = n_parts(x);
		/* Parts of a uop keep its cycles. */
		struct uop part = {
			.ports = shared(c->m, op, x->ports),
			.cycles = x->n_uops * x->cycles / (double)parts,
		};

		for (long k = 0; k < parts && s->n_uops < room; k++) {
			list[s->n_uops] = part;
			s->left |= (uint64_t)1 << s->n_uops++;
			s->wants |= part.ports & c->ports;
		}
	}
}

/* Of each op, those that wait for it. */
static void find_wakes(struct core *c)
{
	const struct machine *m = c->m;
	uint32_t n = m->first_wait[m->b->n], first = 0;
	struct wake *list = ARENA_ARRAY(m->a, struct wake, n + 1);

	for (uint32_t i = 0; i < n; i++)
		c->steps[m->g->op_of[m->waits[i].result]].n_wakes++;
	for (size_t i = 0; i < m->b->n; i++) {
		c->steps[i].wakes = list + first;
		first += c->steps[i].n_wakes;
		c->steps[i].n_wakes = 0;
	}
	for (uint32_t to = 0; to < m->b->n; to++)
		for (uint32_t i = m->first_wait[to]; i < m->first_wait[to + 1];
		     i++) {
			const struct wait *w = &m->waits[i];
			uint32_t from = m->g->op_of[w->result];
			struct step *s = &c->steps[from];

			list[(size_t)(s->wakes - list) + s->n_wakes++] =
				(struct wake){
					.ahead = w->back,
					.result = w->result,
					.slot = w->slot,
					.later = w->later,
				};
		}
}

static void open_core(struct core *c, struct machine *m)
{
	*c = (struct core){ .m = m };
	/* Fused instructions have no slot of their own. */
	c->room = 2 * (size_t)m->window + 64;
	for (c->mask = 1; c->mask < c->room;)
		c->mask *= 2;
	c->ring = ARENA_ARRAY(m->a, struct entry, c->mask);
	c->mask--;
	core_open_issue(c);
	c->steps = ARENA_ARRAY(m->a, struct step, m->b->n);
	for (uint32_t i = 0; i < m->b->n; i++) {
		c->steps[i] = (struct step){
			.slots = m->op_slots[i],
			.room = m->b->ops[i].room,
			.registers = m->op_registers[i],
			.load = m->b->ops[i].load,
			.queued = m->queued[i],
			.early = m->has_early[i],
		};
		split(c, i);
	}
	find_wakes(c);
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
		struct entry *x = &c->ring[c->head & c->mask];
		const struct step *s = &c->steps[x->op];

		if (!x->finished || x->done + hold_cycles(m) > c->now)
			return;
		c->in_window -= s->slots;
		c->n_loads -= s->load;
		c->n_registers -= s->registers;
		c->head++;
		machine_event(m, x->iteration, x->op, x->dispatched, x->started,
			      x->done, c->now);
		if (x->op + 1 == m->b->n)
			c->done = machine_iteration(m, c->now);
	}
}

static void enter(struct core *c)
{
	struct machine *m = c->m;
	struct entry *x = &c->ring[c->tail & c->mask];
	const struct step *s = &c->steps[c->next_op];

	*x = (struct entry){ .op = c->next_op,
			     .iteration = c->next_iteration,
			     .dispatched = c->now,
			     .left = s->left,
			     .wants = s->wants };
	c->n_waiting_uops += s->n_uops;
	c->n_queued += s->queued;
	c->n_loads += s->load;
	c->n_registers += s->registers;
	c->tail++;
	core_enqueue(c, x);
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
	const struct step *s = &c->steps[c->next_op];
	uint32_t least = m->scheduler ? m->scheduler : m->window;

	if (c->in_window + c->owed > m->window && c->head < c->tail)
		return SIM_HOLD_WINDOW;
	if (c->n_waiting_uops > 0 && c->n_waiting_uops + s->n_uops > least)
		return SIM_HOLD_SCHEDULER;
	if (m->queue > 0 && s->queued && c->n_queued == m->queue)
		return SIM_HOLD_VECTORS;
	if (m->loads > 0 && s->load && c->n_loads == m->loads)
		return SIM_HOLD_LOADS;
	if (m->registers > 0 && c->n_registers > 0 &&
	    c->n_registers + s->registers > m->registers)
		return SIM_HOLD_REGISTERS;
	return SIM_HOLD_NOTHING;
}

static bool dispatch(struct core *c)
{
	struct machine *m = c->m;
	uint32_t left = m->width;
	bool any = false;

	for (;;) {
		const struct step *s = &c->steps[c->next_op];
		uint32_t n;

		c->hold = SIM_HOLD_NOTHING;
		if (c->tail - c->head == c->room)
			return any;
		if (!c->begun)
			c->owed = s->slots;
		c->begun = true;
		c->hold = held(c);
		if (c->hold != SIM_HOLD_NOTHING)
			return any;
		/* The rest of the cycle stays empty. */
		if (c->owed == s->slots && left < m->width && left < s->room)
			return true;
		n = c->owed < left ? c->owed : left;
		c->owed -= n;
		left -= n;
		c->in_window += n;
		any = any || n > 0;
		if (c->owed > 0)
			return any;
		enter(c);
		if (left == 0 && c->steps[c->next_op].slots > 0)
			return true;
	}
}

/* Nothing moved: the next cycle in which something may; INT64_MAX: none. */
static int64_t next_time(const struct core *c)
{
	const struct entry *x = &c->ring[c->head & c->mask];
	int64_t next = core_next_start(c), retired;

	if (c->head == c->tail || !x->finished)
		return next;
	retired = x->done + hold_cycles(c->m);
	return retired > c->now && retired < next ? retired : next;
}

void machine_run_oldest_first(struct machine *m)
{
	struct core c;

	open_core(&c, m);
	while (!c.done && c.now < CORE_MAX_CYCLES) {
		int64_t before = c.now;
		bool moved;

		retire(&c);
		moved = core_issue(&c);
		moved = dispatch(&c) || moved;
		c.now = moved || c.done ? c.now + 1 : next_time(&c);
		if (c.now > CORE_MAX_CYCLES)
			c.now = CORE_MAX_CYCLES;
		m->out->held[c.hold] += (uint64_t)(c.now - before);
	}
	m->out->elapsed = (uint64_t)c.now;
}
