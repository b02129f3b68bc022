/* A core that starts instructions in program order.
 *
 * An instruction starts in the same cycle as the one before it unless one of
 * these prevents it: its sources, the number of slots, a port for each uop, the
 * model's pairing rules, a register that both write, or a taken branch before
 * it. The ports of a cycle
 * are assigned together: a uop moves to another of its ports if a later uop
 * needs the only port it can use.
 *
 * Instructions of a unit with a queue of its own start there: what was said holds
 * for their way into the queue, except for registers of the unit. */
#include <math.h>
#include <string.h>

#include "host/isa/variant.h"
#include "host/predict/sim.h"

/* The instructions that start in one cycle. */
struct group {
	bool any;
	uint32_t last; /* op added last */
	size_t n;
	struct sim_uop uops[SIM_MAX_UOPS];
	uint8_t taken_by[MODEL_MAX_PORTS]; /* uop + 1; 0: free */
};

struct in_order_core {
	struct sim *m;
	int64_t cycle;
	uint32_t slot;
	enum sim_hold hold; /* why the last op did not join the group */
	struct group group;
	double free_at[MODEL_MAX_PORTS];
	int64_t redirected; /* what a taken branch leads to, not before */
	int64_t *window;    /* retirement cycle of each slot */
	/* When each register has its last result, of more than a cycle, and
	 * the op that writes it. */
	int64_t written[BODY_UNITS];
	uint32_t writer[BODY_UNITS];
	/* The queue of a decoupled unit: when its last instructions left room for
	 * another one, in turn, and when the last one started. */
	int64_t room_at[DECOUPLED_MAX], unit_at;
	uint32_t n_queued;
	int64_t n_slots, retired;
};

static void next_group(struct in_order_core *c, int64_t cycle)
{
	struct group *g = &c->group;

	for (size_t p = 0; p < c->m->b->model->n_ports; p++)
		if (g->taken_by[p])
			c->free_at[p] = fmax(c->free_at[p], (double)c->cycle) +
					g->uops[g->taken_by[p] - 1].cycles;
	memset(g->taken_by, 0, sizeof(g->taken_by));
	g->n = 0;
	g->any = false;
	c->cycle = cycle;
	c->slot = 0;
}

/* Find a port for a uop of this cycle, and move other uops to other ports if
 * necessary (an augmenting path). */
static bool in_order_find_port(struct in_order_core *c, size_t uop,
			       model_ports *tried)
{
	struct group *g = &c->group;

	for (size_t p = 0; p < c->m->b->model->n_ports; p++) {
		if (!(g->uops[uop].ports >> p & 1) || (*tried >> p & 1) ||
		    c->free_at[p] > (double)c->cycle + 1 - 1e-9)
			continue;
		*tried |= (model_ports)1 << p;
		if (g->taken_by[p] == 0 ||
		    in_order_find_port(c, g->taken_by[p] - 1u, tried)) {
			g->taken_by[p] = (uint8_t)(uop + 1);
			return true;
		}
	}
	return false;
}

/* Reserve slot and port of part u of an op; false when either is taken. */
static bool add_part(struct in_order_core *c, uint32_t op, uint32_t u)
{
	struct group *g = &c->group;
	model_ports tried = 0;
	bool slot = u < c->m->ops[op].slots;

	c->hold = SIM_HOLD_NOTHING;
	if (slot && c->slot == c->m->width)
		return false;
	c->hold = SIM_HOLD_PORTS;
	if (u < c->m->ops[op].n_uops) {
		if (g->n == SIM_MAX_UOPS)
			return false;
		g->uops[g->n] = c->m->ops[op].uops[u];
		if (!in_order_find_port(c, g->n, &tried))
			return false;
		g->n++;
	}
	c->slot += slot;
	return true;
}

/* Is a result there when its old value is, as a stack pointer that the renamer
 * moves? */
static bool is_renamed(const struct op *o, size_t write)
{
	for (size_t r = 0; r < o->n_reads; r++)
		if (op_latency(o, r, write) > 0)
			return false;
	return o->n_reads > 0 && op_is_executed(o);
}

static bool in_order_same_register(const struct op *a, const struct op *b)
{
	for (size_t i = 0; i < a->n_writes; i++)
		for (size_t k = 0; k < b->n_writes; k++) {
			const struct reg_span *x = &a->writes[i];
			const struct reg_span *y = &b->writes[k];

			/* Even in-order cores rename flags. */
			if (is_renamed(a, i) || is_renamed(b, k))
				continue;
			if (x->unit / BODY_BANK_UNITS != BANK_FLAGS &&
			    x->unit < y->unit + y->span &&
			    y->unit < x->unit + x->span)
				return true;
		}
	return false;
}

/* Does the model say nothing about the op's pairing? */
static bool in_order_is_unknown(const struct op *o)
{
	return !o->costs || (!o->costs->own && o->form->pairing == 0);
}

static bool may_pair(const struct in_order_core *c, uint32_t first,
		     uint32_t second)
{
	const struct model *m = c->m->b->model;
	const struct op *a = &c->m->b->ops[first], *b = &c->m->b->ops[second];

	if (in_order_same_register(a, b))
		return false;
	return m->n_pairs == 0 || in_order_is_unknown(a) ||
	       in_order_is_unknown(b) ||
	       m->pairs[a->form->pairing][b->form->pairing];
}

static uint32_t in_order_n_parts(const struct in_order_core *c, uint32_t op)
{
	uint32_t slots = c->m->ops[op].slots, uops = c->m->ops[op].n_uops;

	return slots > uops ? slots : uops;
}

/* Add the whole op to the current group, or leave the group unchanged. */
static bool in_order_join(struct in_order_core *c, uint32_t op)
{
	const struct group before = c->group;
	uint32_t slot = c->slot;

	c->hold = SIM_HOLD_PORTS;
	if (!may_pair(c, c->group.last, op))
		return false;
	for (uint32_t u = 0; u < in_order_n_parts(c, op); u++)
		if (!add_part(c, op, u)) {
			c->group = before;
			c->slot = slot;
			return false;
		}
	c->group.last = op;
	return true;
}

/* Start an op in cycle `from` or later. The search for a port is limited,
 * because a model may require more ports than exist. */
static int64_t in_order_start(struct in_order_core *c, uint32_t op,
			      int64_t from)
{
	enum { MOST_CYCLES = 100000 }; /* cycles to wait for a port */
	int64_t first = -1;

	if (from > c->cycle)
		next_group(c, from);
	if (c->group.any) {
		if (in_order_join(c, op))
			return c->cycle;
		next_group(c, c->cycle + 1);
	}
	for (uint32_t u = 0; u < in_order_n_parts(c, op); u++) {
		for (int i = 0; i < MOST_CYCLES && !add_part(c, op, u); i++)
			next_group(c, c->cycle + 1);
		if (first < 0)
			first = c->cycle;
	}
	c->group.any = true;
	c->group.last = op;
	return first < 0 ? c->cycle : first;
}

/* Does the core fetch what follows an op in a later cycle?  Branches inside a loop
 * are taken only on a path that was found. */
static bool ends_fetch(const struct sim *m, uint32_t op)
{
	const struct body *b = m->b;
	const struct insn *x = b->ops[op].insn;

	if (b->loop->straight || b->model->taken_branches > 1)
		return false;
	if (op + 1 == b->n)
		return b->loop->closed;
	return b->loop->n_taken > 1 &&
	       b->ops[op + 1].insn->address != x->address + x->n_code;
}

/* ---- registers that are not renamed -------------------------------------- */

static bool in_order_reads(const struct op *o, uint16_t unit)
{
	for (size_t r = 0; r < o->n_reads; r++)
		if (!o->reads[r].address && o->reads[r].unit <= unit &&
		    unit < o->reads[r].unit + o->reads[r].span)
			return true;
	return false;
}

/* Cycles that an op waits after the last result in a register that it writes; the
 * chain of a form through its own register has them in its latency. */
static double overwrite_wait(const struct in_order_core *c, const struct op *o,
			     uint16_t unit)
{
	const struct op *before = &c->m->b->ops[c->writer[unit]];

	if (before->insn->instance.form == o->insn->instance.form)
		return in_order_reads(o, unit) ? 0 : o->overwrite_own;
	/* Loads deliver in order. */
	if (op_is_plain_access(before) && op_is_plain_access(o))
		return 0;
	return form_family(o->costs->form) == FAMILY_SAME_REGISTER &&
			       in_order_reads(o, unit)
		       ? 0
		       : o->overwrite;
}

static bool is_of_unit(const struct op *o, uint16_t unit)
{
	return o->decoupled > 0 && unit / BODY_BANK_UNITS == o->decoupled_bank;
}

/* The first cycle in which an op may start for what it overwrites: registers of
 * its decoupled unit, or others. */
static int64_t overwrites_from(const struct in_order_core *c,
			       const struct op *o, bool of_unit)
{
	int64_t from = 0;

	if (o->overwrite <= 0)
		return 0;
	for (size_t w = 0; w < o->n_writes; w++)
		for (uint16_t i = 0; i < o->writes[w].span; i++) {
			uint16_t unit = (uint16_t)(o->writes[w].unit + i);
			double wait;

			if (c->written[unit] == 0 || is_renamed(o, w) ||
			    is_of_unit(o, unit) != of_unit ||
			    unit / BODY_BANK_UNITS == BANK_FLAGS)
				continue;
			wait = overwrite_wait(c, o, unit);
			if (wait > 0)
				from = sim_later(from, c->written[unit] +
							       llround(wait));
		}
	return from;
}

static void note_written(struct in_order_core *c, uint32_t op, int64_t at)
{
	const struct op *o = &c->m->b->ops[op];

	for (size_t w = 0; w < o->n_writes; w++) {
		double cycles = 0;

		for (size_t r = 0; r <= o->n_reads; r++)
			cycles = fmax(cycles, op_latency(o, r, w));
		for (uint16_t i = 0; i < o->writes[w].span; i++) {
			uint16_t unit = (uint16_t)(o->writes[w].unit + i);

			c->writer[unit] = op;
			c->written[unit] =
				cycles > 1 ? at + llround(cycles) : 0;
		}
	}
}

/* ---- units with a queue -------------------------------------------------- */

/* When the sources are ready for which an op waits at the front end. */
static int64_t front_ready(const struct sim *m, uint32_t op, uint32_t iteration)
{
	const struct dependency *x =
		&m->dependencies[m->ops[op].first_dependency];
	const struct dependency *end =
		&m->dependencies[m->ops[op + 1].first_dependency];
	int64_t at = 0;

	for (; x < end; x++)
		if (!x->in_queue)
			at = sim_later(at, sim_source(m, x, iteration));
	return at;
}

/* When the queue of an op has room. */
static int64_t room_from(const struct in_order_core *c, const struct op *o)
{
	return o->decoupled > 0 && c->n_queued >= o->decoupled
		       ? c->room_at[(c->n_queued - o->decoupled) %
				    DECOUPLED_MAX]
		       : 0;
}

/* The start of an op that came to its unit in this cycle.  The unit starts one
 * after the other. */
static int64_t start_in_unit(struct in_order_core *c, uint32_t op,
			     uint32_t iteration, int64_t came)
{
	const struct op *o = &c->m->b->ops[op];
	int64_t start = sim_later(came, sim_start(c->m, op, iteration));

	if (o->decoupled == 0)
		return came;
	start = sim_later(start, overwrites_from(c, o, true));
	if (c->unit_at > came)
		start = sim_later(start, c->unit_at + 1);
	c->unit_at = start;
	/* One that starts at once does not pass through the queue. */
	c->room_at[c->n_queued++ % DECOUPLED_MAX] = start + (start > came);
	return start;
}

/* ---- instructions -------------------------------------------------------- */

static void in_order_step(struct in_order_core *c, uint32_t op,
			  uint32_t iteration)
{
	struct sim *m = c->m;
	const struct op *o = &m->b->ops[op];
	int64_t from = front_ready(m, op, iteration);
	int64_t before = c->cycle, free_at = 0, fetched, at, start, end;
	uint32_t slots = m->ops[op].slots;

	for (uint32_t u = 0; u < slots; u++)
		free_at = sim_later(free_at,
				    c->window[(c->n_slots + u) % m->window]);
	c->n_slots += slots;
	fetched = op == 0 ? sim_fetched(m, iteration) : 0;
	fetched = sim_later(fetched, c->redirected);
	from = sim_later(sim_later(from, free_at), fetched);
	from = sim_later(from, overwrites_from(c, o, false));
	c->hold = SIM_HOLD_NOTHING;
	at = in_order_start(c, op, sim_later(from, room_from(c, o)));
	if (at == fetched && at > before)
		c->hold = SIM_HOLD_FETCH;
	else if (at == free_at && at > before)
		c->hold = SIM_HOLD_WINDOW;
	start = start_in_unit(c, op, iteration, at);
	if (o->overwrite > 0)
		note_written(c, op, start);
	if (ends_fetch(m, op))
		c->redirected = at + 1;
	sim_early(m, op, iteration, start);
	end = sim_results(m, op, iteration, start, start);
	c->retired = sim_later(c->retired, end);
	for (uint32_t u = 1; u <= slots; u++)
		c->window[(c->n_slots - u) % m->window] = c->retired;
	sim_record(m, (struct sim_event){ .iteration = iteration,
					  .op = op,
					  .dispatched = (uint32_t)at,
					  .started = (uint32_t)start,
					  .done = (uint32_t)end,
					  .retired = (uint32_t)c->retired,
					  .hold = c->hold });
}

void sim_run_in_order(struct sim *m)
{
	struct in_order_core c = { .m = m };

	c.window = ARENA_ARRAY(m->a, int64_t, m->window);
	for (uint32_t i = 0;; i++) {
		for (uint32_t op = 0; op < m->b->n; op++)
			in_order_step(&c, op, i);
		if (sim_iteration(m, c.retired, 0))
			return;
	}
}
