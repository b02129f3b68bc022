/* An out-of-order core, cycle by cycle: retire in order, start ready
 * instructions oldest first, dispatch in order. */
#include "host/predict/ooo.h"

/* ---- setup ------------------------------------------------------------- */

/* Build the wake-up list of each op. */
static void find_wakes(struct sim *m)
{
	uint32_t n = m->ops[m->b->n].first_dependency, first = 0;
	struct wake *list = ARENA_ARRAY(m->a, struct wake, n + 1);

	for (uint32_t i = 0; i < n; i++)
		m->ops[m->g->op_of[m->dependencies[i].result]].n_wakes++;
	for (size_t i = 0; i < m->b->n; i++) {
		m->ops[i].wakes = list + first;
		first += m->ops[i].n_wakes;
		m->ops[i].n_wakes = 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct dependency *w = &m->dependencies[i];
		struct sim_op *s = &m->ops[m->g->op_of[w->result]];

		list[(size_t)(s->wakes - list) + s->n_wakes++] = (struct wake){
			.ahead = w->back,
			.result = w->result,
			.slot = w->slot,
			.cycles = w->cycles,
			.access = w->access,
		};
	}
}

static void open_ooo(struct ooo_core *c, struct sim *m)
{
	*c = (struct ooo_core){ .m = m, .ops = m->ops };
	/* Fused instructions have no slot of their own. */
	c->room = 2 * (size_t)m->window + 64;
	for (c->mask = 1; c->mask < c->room;)
		c->mask *= 2;
	c->ring = ARENA_ARRAY(m->a, struct rob_entry, c->mask);
	c->more = ARENA_ARRAY(m->a, struct rob_more, c->mask);
	c->mask--;
	ooo_open_issue(c);
	ooo_open_binding(c);
	for (size_t i = 0; i < m->b->n; i++)
		if (m->ops[i].n_uops > c->most_uops)
			c->most_uops = m->ops[i].n_uops;
	c->bound_to =
		ARENA_ARRAY(m->a, uint8_t, (c->mask + 1) * c->most_uops + 1);
	find_wakes(m);
}

/* ---- a cycle ----------------------------------------------------------- */

/* Cycles for which entries stay occupied after the end. Instructions dispatched
 * in a cycle start in the next one, which is part of the refill time. */
static int64_t hold_cycles(const struct sim *m)
{
	return m->refill > 1 ? m->refill - 1 : 0;
}

/* A checksum of how full the queues are. */
static uint64_t ooo_state(const struct ooo_core *c)
{
	static const uint64_t factor = 0x9e3779b97f4a7c15;
	uint64_t sum = c->tail - c->head;

	sum = sum * factor + c->in_window;
	sum = sum * factor + c->n_waiting_uops;
	sum = sum * factor + c->n_queued;
	sum = sum * factor + c->n_general;
	sum = sum * factor + c->n_loads;
	sum = sum * factor + c->n_registers;
	for (size_t p = 0; c->m->binds_ports && p < c->m->b->model->n_ports;
	     p++)
		sum = sum * factor + c->bound[p];
	return sum;
}

static void ooo_record(const struct ooo_core *c, const struct rob_entry *x)
{
	const struct rob_more *y = ooo_more(c, x);

	sim_record(c->m, (struct sim_event){
				 .iteration = x->iteration,
				 .op = x->op,
				 .dispatched = (uint32_t)y->dispatched,
				 .started = (uint32_t)y->started,
				 .done = (uint32_t)x->done,
				 .retired = (uint32_t)c->now,
				 .hold = y->hold,
				 .taken = y->taken,
			 });
}

static void ooo_retire(struct ooo_core *c)
{
	struct sim *m = c->m;

	while (c->head < c->tail && !c->done) {
		struct rob_entry *x = &c->ring[c->head & c->mask];
		const struct sim_op *s = &c->ops[x->op];

		if (!x->finished || x->done + hold_cycles(m) > c->now)
			return;
		c->in_window -= s->slots;
		c->n_loads -= s->load;
		c->n_registers -= s->registers;
		c->head++;
		if (m->record)
			ooo_record(c, x);
		if (x->op + 1 == m->b->n)
			c->done = sim_iteration(m, c->now, ooo_state(c));
	}
}

static void ooo_enter(struct ooo_core *c)
{
	struct sim *m = c->m;
	struct rob_entry *x = &c->ring[c->tail & c->mask];
	const struct sim_op *s = &c->ops[c->next_op];

	/* What ooo_enqueue() does not set. */
	x->op = c->next_op;
	x->iteration = c->next_iteration;
	x->n_unknown = x->n_unknown_access = 0;
	x->left = s->access ? s->access : s->left;
	x->later = s->access ? s->left & ~s->access : 0;
	x->known = 0;
	x->finished = false;
	if (m->record || s->has_early)
		*ooo_more(c, x) =
			(struct rob_more){ .dispatched = ooo_time(c->now),
					   .hold = c->held };
	c->n_waiting_uops += s->n_uops;
	c->n_queued += s->queued;
	c->n_general += s->general;
	c->n_loads += s->load;
	c->n_registers += s->registers;
	c->tail++;
	if (m->binds_ports)
		ooo_bind(c, x);
	else
		ooo_find_wants(c, x);
	ooo_enqueue(c, x);
	c->begun = false;
	c->held = SIM_HOLD_NOTHING;
	if (++c->next_op == m->b->n) {
		c->next_op = 0;
		c->next_iteration++;
	}
}

/* What prevents the dispatch of the next instruction, if anything? */
static enum sim_hold ooo_held(const struct ooo_core *c)
{
	const struct sim *m = c->m;
	const struct sim_op *s = &c->ops[c->next_op];
	uint32_t least = m->scheduler ? m->scheduler : m->window;

	if (m->fetch > 0 && c->next_op == 0 &&
	    sim_fetched(m, c->next_iteration) > c->now)
		return SIM_HOLD_FETCH;
	if (c->in_window + c->owed > m->window && c->head < c->tail)
		return SIM_HOLD_WINDOW;
	if (c->n_waiting_uops > 0 && c->n_waiting_uops + s->n_uops > least)
		return SIM_HOLD_SCHEDULER;
	if (m->queue > 0 && s->queued && c->n_queued == m->queue)
		return SIM_HOLD_VECTORS;
	if (m->general > 0 && s->general && c->n_general >= m->general)
		return SIM_HOLD_GENERAL;
	if (m->loads > 0 && s->load && c->n_loads == m->loads)
		return SIM_HOLD_LOADS;
	if (m->registers > 0 && c->n_registers > 0 &&
	    c->n_registers + s->registers > m->registers)
		return SIM_HOLD_REGISTERS;
	return SIM_HOLD_NOTHING;
}

static bool ooo_dispatch(struct ooo_core *c)
{
	struct sim *m = c->m;
	uint32_t left = m->width, seen = 0;
	bool any = false;

	c->held = c->hold;
	if (m->binds_ports)
		ooo_begin_binding(c);
	for (;;) {
		const struct sim_op *s = &c->ops[c->next_op];
		uint32_t n;

		c->hold = SIM_HOLD_NOTHING;
		if (c->tail - c->head == c->room)
			return any;
		if (!c->begun)
			c->owed = s->slots;
		c->begun = true;
		c->hold = ooo_held(c);
		if (c->hold != SIM_HOLD_NOTHING)
			return any;
		/* The remaining slots of the cycle stay unused. */
		if (c->owed == s->slots && left < m->width &&
		    (left < s->room ||
		     (s->most_before > 0 && seen >= s->most_before)))
			return true;
		/* An access of s > 1 slots counts as s - 1 for `most_before`,
		 * in the cycle in which it begins (judge_slots.c). */
		if (c->owed == s->slots)
			seen += s->most_before > 0 && s->slots > 1
					? s->slots - 1
					: s->slots;
		n = c->owed < left ? c->owed : left;
		c->owed -= n;
		left -= n;
		c->in_window += n;
		any = any || n > 0;
		if (c->owed > 0)
			return any;
		ooo_enter(c);
		if (left == 0 && c->ops[c->next_op].slots > 0)
			return true;
	}
}

/* What leaves the scheduler of general registers before cycle `until`. */
static void ooo_leave(struct ooo_core *c, int64_t until)
{
	for (int64_t t = c->next_leave;
	     t < until && t < c->next_leave + OOO_LEAVES; t++) {
		c->n_general -= c->leaves[t % OOO_LEAVES];
		c->leaves[t % OOO_LEAVES] = 0;
	}
	c->next_leave = until;
}

/* When the next one leaves it; INT64_MAX: none of those that have started. */
static int64_t next_leave(const struct ooo_core *c)
{
	for (int64_t t = c->now + 1; t < c->now + OOO_LEAVES; t++)
		if (c->leaves[t % OOO_LEAVES] > 0)
			return t;
	return INT64_MAX;
}

/* Nothing happened in this cycle: the next one in which something can;
 * INT64_MAX: none. */
static int64_t next_time(const struct ooo_core *c)
{
	const struct rob_entry *x = &c->ring[c->head & c->mask];
	int64_t next = ooo_next_start(c), retired;

	if (c->hold == SIM_HOLD_FETCH &&
	    sim_fetched(c->m, c->next_iteration) < next)
		next = sim_fetched(c->m, c->next_iteration);
	if (c->hold == SIM_HOLD_GENERAL) {
		int64_t leaves = next_leave(c);

		next = leaves < next ? leaves : next;
	}
	if (c->head == c->tail || !x->finished)
		return next;
	retired = x->done + hold_cycles(c->m);
	return retired > c->now && retired < next ? retired : next;
}

void sim_run_out_of_order(struct sim *m)
{
	struct ooo_core c;

	open_ooo(&c, m);
	/* The checksums show whether the queues still fill. */
	if (!m->record)
		m->least = 0;
	while (!c.done && c.now < OOO_MAX_CYCLES) {
		int64_t before = c.now;
		bool moved;

		ooo_retire(&c);
		/* The places of earlier cycles are used again. */
		ooo_leave(&c, c.now);
		moved = ooo_issue(&c);
		ooo_leave(&c, c.now + 1);
		moved = ooo_dispatch(&c) || moved;
		c.now = moved || c.done ? c.now + 1 : next_time(&c);
		if (c.now > OOO_MAX_CYCLES)
			c.now = OOO_MAX_CYCLES;
		m->out->held[c.hold] += (uint64_t)(c.now - before);
	}
	m->out->elapsed = (uint64_t)c.now;
}
