/* An out-of-order core, cycle by cycle: retire in order, start ready
 * instructions oldest first, dispatch in order. */
#include <math.h>
#include <string.h>

#include "host/predict/core.h"

/* ---- setup ------------------------------------------------------------- */

/* The ports to which the best sharing assigns some of this use. */
static model_ports oldest_shared(const struct sim_machine *m, uint32_t op,
				 model_ports ports)
{
	const struct pressure *p = m->pressure;
	model_ports kept = 0;

	for (size_t k = 0; k < p->n_ports; k++)
		if ((ports >> k & 1) && p->share[op * p->n_ports + k] > 1e-3)
			kept |= (model_ports)1 << k;
	return kept ? kept : ports;
}

/* The ports of a use that exist.  On a core that binds uops at dispatch, all of
 * them; else those of the best sharing. */
static model_ports oldest_ports(const struct sim_machine *m, uint32_t op,
				model_ports ports)
{
	size_t n = m->b->model->n_ports;
	model_ports exist = n < MODEL_MAX_PORTS ? ((model_ports)1 << n) - 1
						: ~(model_ports)0;

	return exist & (m->binds_ports ? ports : oldest_shared(m, op, ports));
}

/* Are these a pseudo port or a pool? */
static bool oldest_is_unit(const struct sim_machine *m, model_ports ports)
{
	const struct model *model = m->b->model;
	size_t p = ports != 0 ? (size_t)__builtin_ctzll(ports) : 0;

	return p >= m->b->n_ports || model->ports[p].pseudo;
}

static long oldest_n_parts(const struct model_use *x)
{
	return lround(ceil(x->n_uops - 1e-9));
}

static uint32_t count_uops(const struct op *o)
{
	long n = 0;

	for (size_t u = 0; u < o->n_uses && n < CORE_MAX_UOPS; u++) {
		long parts = oldest_n_parts(&o->uses[u]);

		if (parts > 0)
			n += parts < CORE_MAX_UOPS ? parts : CORE_MAX_UOPS;
	}
	return (uint32_t)(n < CORE_MAX_UOPS ? n : CORE_MAX_UOPS);
}

static void oldest_list_ports(struct sim_uop *u)
{
	uint32_t n = 0;

	memset(u->few, SIM_NO_PORT, sizeof u->few);
	for (model_ports left = u->ports; left != 0; left &= left - 1, n++)
		if (n < SIM_FEW_PORTS)
			u->few[n] = (uint8_t)__builtin_ctzll(left);
	u->n_ports = n;
}

static void oldest_split(struct ooo_core *c, uint32_t op)
{
	const struct op *o = &c->m->b->ops[op];
	struct sim_step *s = &c->steps[op];
	uint32_t room = count_uops(o);
	struct sim_uop *list = ARENA_ARRAY(c->m->a, struct sim_uop, room + 1);

	s->uops = list;
	for (size_t u = 0; u < o->n_uses; u++) {
		const struct model_use *x = &o->uses[u];
		long parts = oldest_n_parts(x);
		uint32_t first = s->n_uops;
		/* The parts of a split uop have the same total cycles. */
		struct sim_uop part = {
			.ports = oldest_ports(c->m, op, x->ports),
			.cycles = x->n_uops * x->cycles / (double)parts,
		};

		oldest_list_ports(&part);
		part.unit = oldest_is_unit(c->m, part.ports);
		/* A uop without ports would never start. */
		if (part.ports == 0)
			continue;
		for (long k = 0; k < parts && s->n_uops < room; k++) {
			list[s->n_uops] = part;
			s->left |= (uint64_t)1 << s->n_uops++;
		}
		for (uint32_t k = first; u < o->n_access && k < s->n_uops; k++)
			s->access |= (uint64_t)1 << k;
	}
	if (c->m->load_to_use[op] == 0 || o->store || s->access == s->left)
		s->access = 0;
}

/* Build the wake-up list of each op. */
static void find_wakes(struct ooo_core *c)
{
	const struct sim_machine *m = c->m;
	uint32_t n = m->first_dependency[m->b->n], first = 0;
	struct wake *list = ARENA_ARRAY(m->a, struct wake, n + 1);

	for (uint32_t i = 0; i < n; i++)
		c->steps[m->g->op_of[m->dependencies[i].result]].n_wakes++;
	for (size_t i = 0; i < m->b->n; i++) {
		c->steps[i].wakes = list + first;
		first += c->steps[i].n_wakes;
		c->steps[i].n_wakes = 0;
	}
	for (uint32_t to = 0; to < m->b->n; to++)
		for (uint32_t i = m->first_dependency[to];
		     i < m->first_dependency[to + 1]; i++) {
			const struct dependency *w = &m->dependencies[i];
			uint32_t from = m->g->op_of[w->result];
			struct sim_step *s = &c->steps[from];

			list[(size_t)(s->wakes - list) + s->n_wakes++] =
				(struct wake){
					.ahead = w->back,
					.result = w->result,
					.slot = w->slot,
					.cycles = w->cycles,
					.access = w->access,
				};
		}
}

static void oldest_open_core(struct ooo_core *c, struct sim_machine *m)
{
	*c = (struct ooo_core){ .m = m };
	/* Fused instructions have no slot of their own. */
	c->room = 2 * (size_t)m->window + 64;
	for (c->mask = 1; c->mask < c->room;)
		c->mask *= 2;
	c->ring = ARENA_ARRAY(m->a, struct rob_entry, c->mask);
	c->more = ARENA_ARRAY(m->a, struct rob_more, c->mask);
	c->mask--;
	core_open_issue(c);
	core_open_binding(c);
	c->steps = ARENA_ARRAY(m->a, struct sim_step, m->b->n);
	for (uint32_t i = 0; i < m->b->n; i++) {
		c->steps[i] = (struct sim_step){
			.slots = m->op_slots[i],
			.room = m->b->ops[i].room,
			.before = m->b->ops[i].max_slots_before,
			.registers = m->op_registers[i],
			.load = m->b->ops[i].load,
			.queued = m->queued[i],
			.early_result = m->has_early_result[i],
		};
		oldest_split(c, i);
		if (c->steps[i].n_uops > c->most_uops)
			c->most_uops = c->steps[i].n_uops;
	}
	c->bound_to =
		ARENA_ARRAY(m->a, uint8_t, (c->mask + 1) * c->most_uops + 1);
	find_wakes(c);
}

/* ---- a cycle ----------------------------------------------------------- */

/* Cycles for which entries stay occupied after the end. Instructions dispatched
 * in a cycle start in the next one, which is part of the refill time. */
static int64_t hold_cycles(const struct sim_machine *m)
{
	return m->refill > 1 ? m->refill - 1 : 0;
}

/* A checksum of how full the queues are. */
static uint64_t oldest_state(const struct ooo_core *c)
{
	static const uint64_t factor = 0x9e3779b97f4a7c15;
	uint64_t sum = c->tail - c->head;

	sum = sum * factor + c->in_window;
	sum = sum * factor + c->n_waiting_uops;
	sum = sum * factor + c->n_queued;
	sum = sum * factor + c->n_loads;
	sum = sum * factor + c->n_registers;
	for (size_t p = 0; c->m->binds_ports && p < c->m->b->model->n_ports;
	     p++)
		sum = sum * factor + c->bound[p];
	return sum;
}

static void oldest_record(const struct ooo_core *c, const struct rob_entry *x)
{
	const struct rob_more *y = core_more(c, x);

	machine_event(c->m, x->iteration, x->op, y->dispatched, y->hold,
		      y->started, x->done, c->now, y->taken);
}

static void oldest_retire(struct ooo_core *c)
{
	struct sim_machine *m = c->m;

	while (c->head < c->tail && !c->done) {
		struct rob_entry *x = &c->ring[c->head & c->mask];
		const struct sim_step *s = &c->steps[x->op];

		if (!x->finished || x->done + hold_cycles(m) > c->now)
			return;
		c->in_window -= s->slots;
		c->n_loads -= s->load;
		c->n_registers -= s->registers;
		c->head++;
		if (m->record)
			oldest_record(c, x);
		if (x->op + 1 == m->b->n)
			c->done = machine_iteration(m, c->now, oldest_state(c));
	}
}

static void oldest_enter(struct ooo_core *c)
{
	struct sim_machine *m = c->m;
	struct rob_entry *x = &c->ring[c->tail & c->mask];
	const struct sim_step *s = &c->steps[c->next_op];

	/* What core_enqueue() does not set. */
	x->op = c->next_op;
	x->iteration = c->next_iteration;
	x->n_unknown = x->n_unknown_access = 0;
	x->left = s->access ? s->access : s->left;
	x->later = s->access ? s->left & ~s->access : 0;
	x->known = 0;
	x->finished = false;
	if (m->record || s->early_result)
		*core_more(c, x) =
			(struct rob_more){ .dispatched = core_time(c->now),
					   .hold = c->held };
	c->n_waiting_uops += s->n_uops;
	c->n_queued += s->queued;
	c->n_loads += s->load;
	c->n_registers += s->registers;
	c->tail++;
	if (m->binds_ports)
		core_bind(c, x);
	else
		core_find_wants(c, x);
	core_enqueue(c, x);
	c->begun = false;
	c->held = SIM_HOLD_NOTHING;
	if (++c->next_op == m->b->n) {
		c->next_op = 0;
		c->next_iteration++;
	}
}

/* What prevents the dispatch of the next instruction, if anything? */
static enum sim_hold oldest_held(const struct ooo_core *c)
{
	const struct sim_machine *m = c->m;
	const struct sim_step *s = &c->steps[c->next_op];
	uint32_t least = m->scheduler ? m->scheduler : m->window;

	if (m->fetch > 0 && c->next_op == 0 &&
	    machine_fetched(m, c->next_iteration) > c->now)
		return SIM_HOLD_FETCH;
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

static bool oldest_dispatch(struct ooo_core *c)
{
	struct sim_machine *m = c->m;
	uint32_t left = m->width, seen = 0;
	bool any = false;

	c->held = c->hold;
	if (m->binds_ports)
		core_begin_binding(c);
	for (;;) {
		const struct sim_step *s = &c->steps[c->next_op];
		uint32_t n;

		c->hold = SIM_HOLD_NOTHING;
		if (c->tail - c->head == c->room)
			return any;
		if (!c->begun)
			c->owed = s->slots;
		c->begun = true;
		c->hold = oldest_held(c);
		if (c->hold != SIM_HOLD_NOTHING)
			return any;
		/* The remaining slots of the cycle stay unused. */
		if (c->owed == s->slots && left < m->width &&
		    (left < s->room || (s->before > 0 && seen >= s->before)))
			return true;
		/* An access of s > 1 slots counts as s - 1 for `before`, in the
		 * cycle in which it begins (judge_slots.c). */
		if (c->owed == s->slots)
			seen += s->before > 0 && s->slots > 1 ? s->slots - 1
							      : s->slots;
		n = c->owed < left ? c->owed : left;
		c->owed -= n;
		left -= n;
		c->in_window += n;
		any = any || n > 0;
		if (c->owed > 0)
			return any;
		oldest_enter(c);
		if (left == 0 && c->steps[c->next_op].slots > 0)
			return true;
	}
}

/* Nothing happened in this cycle: the next one in which something can;
 * INT64_MAX: none. */
static int64_t next_time(const struct ooo_core *c)
{
	const struct rob_entry *x = &c->ring[c->head & c->mask];
	int64_t next = core_next_start(c), retired;

	if (c->hold == SIM_HOLD_FETCH &&
	    machine_fetched(c->m, c->next_iteration) < next)
		next = machine_fetched(c->m, c->next_iteration);
	if (c->head == c->tail || !x->finished)
		return next;
	retired = x->done + hold_cycles(c->m);
	return retired > c->now && retired < next ? retired : next;
}

void machine_run_oldest_first(struct sim_machine *m)
{
	struct ooo_core c;

	oldest_open_core(&c, m);
	/* The checksums show whether the queues still fill. */
	if (!m->record)
		m->least = 0;
	while (!c.done && c.now < CORE_MAX_CYCLES) {
		int64_t before = c.now;
		bool moved;

		oldest_retire(&c);
		moved = core_issue(&c);
		moved = oldest_dispatch(&c) || moved;
		c.now = moved || c.done ? c.now + 1 : next_time(&c);
		if (c.now > CORE_MAX_CYCLES)
			c.now = CORE_MAX_CYCLES;
		m->out->held[c.hold] += (uint64_t)(c.now - before);
	}
	m->out->elapsed = (uint64_t)c.now;
}
