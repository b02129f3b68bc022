/* Simulates the cycles of an invented core; see kernel.h.
 *
 * Instructions are taken in program order, each as early as the issue width,
 * the window, its sources and its ports allow.  A later instruction can use
 * an earlier gap of a port, so execution is out of order although the
 * simulation is not.  When a state relative to the front end repeats, the
 * loop repeats too, and the simulation stops. */
#include <stdlib.h>
#include <string.h>

#include "host/fake/sim.h"

enum {
	MAX_ITERATIONS = 512,
	/* Registers that no instruction writes were ready this long ago. */
	LONG_AGO = 1 << 20,
};

/* ---- front end -------------------------------------------------------- */

/* The next place in the window. */
static uint32_t after(const struct fake_simulator *s, uint32_t place)
{
	return place + 1 == s->core->window ? 0 : place + 1;
}

static void take_slot(struct fake_simulator *s)
{
	int64_t free_at = s->window[s->next];

	if (s->slot == s->width) {
		s->slot = 0;
		s->cycle++;
	}
	if (free_at > s->cycle) {
		s->slot = 0;
		s->cycle = free_at;
	}
	s->slot++;
	s->next = after(s, s->next);
}

/* ---- one instruction -------------------------------------------------- */

/* Cycles of forwarding from what produced a slot.  An eliminated instruction
 * gives a result on as it is. */
static int64_t forward_from(const struct fake_simulator *s,
			    const struct fake_op *op, size_t slot)
{
	return op->core->eliminated ? 0
				    : s->core->forward[s->class_id[slot]]
						      [op->core->class_id];
}

/* Cycles that all sources of an op wait because of what wrote one of them. */
static int64_t wait_written(const struct fake_simulator *s,
			    const struct fake_op *op)
{
	int64_t most = 0;

	if (!s->core->has_written || op->core->eliminated)
		return 0;
	for (size_t k = 0; k < op->n_src; k++)
		for (size_t i = op->src[k].slot;
		     i < (size_t)op->src[k].slot + op->src[k].span; i++)
			most = fake_later(most,
					  s->core->written[s->class_id[i]]
							  [op->core->class_id]);
	return most;
}

/* The cycle in which source k of an op is ready, with forwarding. */
static int64_t source_ready(const struct fake_simulator *s,
			    const struct fake_op *op, size_t k)
{
	const struct fake_reg *r = &op->src[k];
	int64_t latest = INT64_MIN;

	for (size_t i = r->slot; i < (size_t)r->slot + r->span; i++) {
		int64_t at = s->ready[i] + forward_from(s, op, i);

		if (at > latest)
			latest = at;
	}
	return latest;
}

/* The class of an op's results: of an eliminated one, that of its first
 * source. */
static uint8_t class_of_results(const struct fake_simulator *s,
				const struct fake_op *op)
{
	return op->core->eliminated && !op->no_wait && op->n_src > 0
		       ? s->class_id[op->src[0].slot]
		       : op->core->class_id;
}

static void write_result(struct fake_simulator *s, const struct fake_op *op,
			 size_t d, int64_t at, uint8_t class_id)
{
	const struct fake_reg *r = &op->dst[d];

	for (size_t i = r->slot; i < (size_t)r->slot + r->span; i++) {
		s->ready[i] = at;
		s->class_id[i] = class_id;
	}
}

static void retire(struct fake_simulator *s, uint32_t n_uops, int64_t at)
{
	s->retired = fake_later(s->retired, at);
	for (uint32_t u = 0, place = s->next; u < n_uops; u++) {
		place = fake_before(s, place);
		s->window[place] = s->retired + s->core->refill;
	}
}

/* Out of order: take a slot for each uop now, and start when sources and
 * ports are ready. */
static int64_t start_out_of_order(struct fake_simulator *s,
				  const struct fake_op *op, int64_t sources)
{
	int64_t start;

	fake_wait_for_entries(s, op);
	if (s->decodes && op->core->stall > 0) {
		s->cycle += op->core->stall;
		s->slot = 0;
	}
	for (uint32_t u = 0; u < op->core->n_uops; u++)
		take_slot(s);
	start = fake_later(s->cycle, sources);
	return s->core->least_loaded && !op->no_wait
		       ? fake_reserve(s, op->core, start)
		       : start;
}

static int64_t start_in_order(struct fake_simulator *s,
			      const struct fake_op *op, int64_t sources)
{
	sources = fake_later(sources, s->redirected);
	sources = fake_later(sources, fake_queue_room(s, op));
	for (uint32_t u = 0; u < op->core->n_uops; u++) {
		sources = fake_later(sources, s->window[s->next]);
		s->next = after(s, s->next);
	}
	return fake_start_in_order(s, op, sources);
}

/* Did an instruction that starts now wait so briefly that it has the short
 * latency? */
static bool is_short(const struct fake_simulator *s, const struct fake_op *op,
		     int64_t start)
{
	return op->core->has_short && start - s->cycle <= op->core->until;
}

static int64_t latency_now(const struct fake_simulator *s,
			   const struct fake_op *op, size_t src, size_t dst,
			   int64_t start)
{
	if (s->latency)
		return s->latency;
	return is_short(s, op, start) && !(op->listed[src] >> dst & 1)
		       ? op->core->latency_short
		       : op->latency[src][dst];
}

static int64_t longest_now(const struct fake_simulator *s,
			   const struct fake_op *op, size_t dst, int64_t start)
{
	int64_t longest = 0;

	if (s->latency)
		return s->latency;
	if (!op->core->has_short)
		return op->longest[dst];
	for (size_t k = 0; k < op->n_src; k++)
		longest =
			fake_later(longest, latency_now(s, op, k, dst, start));
	return op->n_src ? longest : op->longest[dst];
}

/* What an instruction waits for. */
struct wait {
	size_t n;
	int64_t source[FAKE_MAX_REGS];
	int64_t start; /* no earlier, for want of sources */
	int64_t unit;  /* the same, after it came to its unit's queue */
	int64_t free;  /* no earlier for any other reason */
};

static void find_sources(const struct fake_simulator *s,
			 const struct fake_op *op, struct wait *ret)
{
	const uint16_t *slack = s->core->in_order ? op->most_slack : op->slack;
	int64_t more = wait_written(s, op);

	ret->n = op->no_wait ? 0 : op->n_src;
	ret->start = ret->unit = 0;
	for (size_t k = 0; k < ret->n; k++) {
		int64_t *at = fake_queue_waits(s->core, op, &op->src[k])
				      ? &ret->unit
				      : &ret->start;

		ret->source[k] = source_ready(s, op, k) + more;
		if (!op->core->eliminated)
			*at = fake_later(*at, ret->source[k] - slack[k]);
	}
}

/* Start when sources and ports are ready.  Out of order, results that do not
 * depend on the last source do not follow from ret->start. */
static int64_t start(struct fake_simulator *s, const struct fake_op *op,
		     struct wait *w)
{
	bool in_order = s->core->in_order;
	int64_t at = in_order ? start_in_order(s, op, w->start)
			      : start_out_of_order(s, op, w->start);

	w->free =
		in_order || at > fake_later(s->cycle, w->start) ? at : s->cycle;
	if (op->taken)
		s->redirected = at + s->core->taken;
	if (in_order)
		w->free = at = fake_queue_start(s, op, at, w->unit);
	return at;
}

/* When result d is there. */
static int64_t result_of(const struct fake_simulator *s,
			 const struct fake_op *op, const struct wait *w,
			 int64_t at, size_t d)
{
	int64_t result =
		w->free + (op->no_wait ? 0 : longest_now(s, op, d, at));

	for (size_t k = 0; k < w->n; k++)
		result = fake_later(
			result, w->source[k] + latency_now(s, op, k, d, at));
	return result;
}

static void step_sim(struct fake_simulator *s, const struct fake_op *op)
{
	int64_t result[FAKE_MAX_REGS];
	struct wait w;
	int64_t at, end;
	uint8_t class_id;

	if (!op->core)
		return;
	if (s->core->has_values)
		fake_values_cost(s, op);
	find_sources(s, op, &w);
	at = start(s, op, &w);
	end = at + !op->core->eliminated;
	for (size_t d = 0; d < op->n_dst; d++) {
		result[d] = result_of(s, op, &w, at, d);
		end = fake_later(end, result[d]);
	}
	class_id = class_of_results(s, op);
	for (size_t d = 0; d < op->n_dst; d++)
		write_result(s, op, d, result[d], class_id);
	if (s->has_width || s->has_identity)
		fake_values_pass(s, op);
	/* Not before its last uop. */
	if (s->core->least_loaded && !s->core->in_order && !op->no_wait)
		end = fake_later(end, s->started + !op->core->eliminated);
	retire(s, op->core->n_uops, end);
	fake_keep_entries(s, op, at);
}

/* ---- the loop --------------------------------------------------------- */

/* The most that a source may come later.  Its own forwarding and the writer of
 * another source add up. */
static int64_t widest_forward(const struct core *core)
{
	int64_t forward = 0, written = 0;

	for (size_t i = 0; i < core->n_classes; i++)
		for (size_t k = 0; k < core->n_classes; k++) {
			forward = fake_later(forward, core->forward[i][k]);
			written = fake_later(written, core->written[i][k]);
		}
	return forward + written;
}

struct fake_simulator *fake_simulator_new(const struct core *core)
{
	struct fake_simulator *s = xrealloc(NULL, 1, sizeof(*s));

	memset(s, 0, sizeof(*s));
	s->core = core;
	s->cycle = LONG_AGO;
	s->reach = widest_forward(core);
	s->last = xrealloc(NULL, core->n_forms, sizeof(*s->last));
	memset(s->last, 0, core->n_forms * sizeof(*s->last));
	if (core->least_loaded && !core->in_order) {
		s->busy = xrealloc(NULL, core->n_ports, sizeof(*s->busy));
		memset(s->busy, 0, core->n_ports * sizeof(*s->busy));
	}
	return s;
}

void fake_simulator_free(struct fake_simulator *s)
{
	if (s) {
		free(s->busy);
		free(s->last);
	}
	free(s);
}

static void note_used(struct fake_simulator *s, const struct fake_reg *r,
		      size_t n)
{
	/* A time behind all earlier kernels and long before this one. */
	int64_t never = s->cycle - LONG_AGO / 2;

	for (size_t k = 0; k < n; k++) {
		for (size_t i = r[k].slot; i < (size_t)r[k].slot + r[k].span;
		     i++) {
			if (s->ready[i] == never)
				continue;
			s->ready[i] = never;
			s->class_id[i] = 0;
			s->used[s->n_used++] = (uint16_t)i;
		}
	}
}

static uint64_t count_uops(const struct fake_kernel *k, int length)
{
	uint64_t n_uops = 0;

	for (size_t i = 0; i < k->n[length]; i++) {
		const struct fake_op *op = &k->ops[k->sequence[length][i]];

		n_uops += op->core ? op->core->n_uops : 0;
	}
	return n_uops;
}

/* Slots per cycle for an iteration of this length. */
static uint32_t width_for(const struct core *core, uint64_t n_uops)
{
	return core->loop_buffer > 0 && n_uops > core->loop_buffer
		       ? core->decode
		       : core->width;
}

/* Reset to an empty core, at a time behind everything before. */
static void restart(struct fake_simulator *s, const struct fake_kernel *k,
		    int length)
{
	uint64_t n_uops = count_uops(k, length);

	s->cycle = fake_later(fake_later(s->cycle, s->retired), s->horizon) +
		   LONG_AGO;
	s->slot = 0;
	s->width = width_for(s->core, n_uops);
	s->decodes = s->core->decoded_cache > 0 &&
		     (k->uncached || n_uops > s->core->decoded_cache);
	s->retired = s->cycle;
	s->redirected = s->cycle;
	memset(&s->group, 0, sizeof(s->group));
	memset(s->free_at, 0, sizeof(s->free_at));
	memset(s->room_at, 0, sizeof(s->room_at));
	s->unit_at = 0;
	s->horizon = s->cycle;
	s->passed_until = s->cycle;
	s->n_used = 0;
	memset(s->reserved, 0, sizeof(s->reserved));
	memset(s->passed, 0, sizeof(s->passed));
	for (size_t i = 0; i < k->n[length]; i++) {
		const struct fake_op *op = &k->ops[k->sequence[length][i]];

		note_used(s, op->src, op->n_src);
		note_used(s, op->dst, op->n_dst);
	}
	fake_values_open(s, k, length);
}

/* How many iterations ago this state occurred, or 0.  A state does not say
 * which identity is a result of which other one.  Every iteration writes the
 * same registers, so this settles in a few: `twice` asks for one more
 * period. */
static uint32_t seen(const uint64_t *states, uint32_t n, bool twice)
{
	enum { FEW = 8 };

	for (uint32_t ago = 1; ago <= n; ago++)
		if (states[n - ago] == states[n] &&
		    (!twice ||
		     (n >= 2 * ago + FEW && states[n - 2 * ago] == states[n])))
			return ago;
	return 0;
}

/* What jumps cost more for want of a target.  Where the core's table holds
 * fewer than a loop has, and the one that was used longest ago goes first, no
 * jump of the loop finds its own.  What runs between two runs of a loop fills
 * the table, too, so that in the first iteration of each run none does. */
static void find_targets(const struct core *core, const struct fake_kernel *k,
			 int length, struct fake_timing *t)
{
	uint32_t n = 0;

	for (size_t i = 0; i < k->n[length]; i++)
		n += k->ops[k->sequence[length][i]].jumps;
	if (core->targets == 0)
		return;
	t->jumps_first = n * core->retarget;
	t->jumps_again = n > core->targets ? t->jumps_first : 0;
}

void fake_simulate(struct fake_simulator *s, struct arena *a,
		   const struct fake_kernel *k, int length, bool slow,
		   struct fake_timing *ret)
{
	uint64_t states[MAX_ITERATIONS];
	uint32_t cycles[MAX_ITERATIONS] = { 0 };
	struct fake_timing t = { .bound_ports = 1 };
	int64_t start;

	restart(s, k, length);
	s->slow = slow;
	start = s->cycle;
	/* If no state repeats, the simulation ends, and the second half of
	 * it is taken as the period. */
	for (uint32_t i = 0; i < MAX_ITERATIONS && t.n_period == 0; i++) {
		for (size_t n = 0; n < k->n[length]; n++)
			step_sim(s, &k->ops[k->sequence[length][n]]);
		states[i] = fake_state(s);
		cycles[i] = (uint32_t)(s->retired - start);
		t.n_known = i + 1;
		t.n_period = seen(states, i, s->has_identity);
	}
	if (t.n_period == 0)
		t.n_period = MAX_ITERATIONS / 2;
	t.period_cycles =
		cycles[t.n_known - 1] - cycles[t.n_known - 1 - t.n_period];
	t.cycles = arena_copy(a, cycles, t.n_known * sizeof(*cycles));
	if (!s->core->least_loaded && !s->core->in_order)
		fake_port_bound(k, length, slow, &t);
	if (!s->core->in_order)
		fake_taken_bound(s->core, k, length, &t);
	find_targets(s->core, k, length, &t);
	*ret = t;
}

uint64_t fake_cycles(const struct fake_timing *t, uint64_t n)
{
	uint64_t bound =
		(n * t->bound_cycles + t->bound_ports - 1) / t->bound_ports;
	uint64_t cycles;

	if (n == 0)
		return 0;
	if (n <= t->n_known) {
		cycles = t->cycles[n - 1];
	} else {
		uint64_t first = t->n_known - t->n_period;
		uint64_t beyond = n - 1 - first;

		cycles = t->cycles[first + beyond % t->n_period] +
			 beyond / t->n_period * t->period_cycles;
	}
	cycles = cycles > bound ? cycles : bound;
	return n == 0 ? cycles
		      : cycles + t->jumps_first + (n - 1) * t->jumps_again;
}
