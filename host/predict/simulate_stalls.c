/* What takes the time: the longest path through the events of a simulation.
 *
 * The walk starts at the last retirement and goes back, always to the event
 * that was waited for last. The times between are charged to kinds of stalls.
 * Their sum is the time walked, because no step leads to a later time.
 *
 *	retired <- done <- started <- another instruction used its port
 *	                           <- a result of another instruction came
 *	                           <- dispatched <- the one before it was
 *	                                         <- a queue had room
 *
 * Latencies matter for two reasons: in a chain that never ends, or because a
 * queue is full until they are over. Which it is, is known when the walk
 * reaches a dispatch (the chain has a start) or its end (it has none). Until
 * then latencies on the way from a full queue are kept apart. */
#include "host/predict/sim.h"

enum stage { STAGE_STARTED, STAGE_SOURCE, STAGE_DISPATCHED };

struct stall_walk {
	const struct sim *m;
	const struct sim_event *events;
	enum stage stage;
	size_t at;   /* index of the instruction */
	int64_t now; /* the walk has come back to this cycle */
	const struct dependency *source; /* STAGE_SOURCE */
	int64_t cycles[SIM_N_STALLS];
	/* Latencies since the walk left this queue; FRONT_END: none. */
	enum sim_stall queue;
	int64_t dependency, loads;
	bool begins; /* no dispatch was reached yet */
};

/* Go back to this cycle. Returns the cycles between. */
static int64_t stalls_back(struct stall_walk *w, int64_t to)
{
	int64_t cycles = w->now > to ? w->now - to : 0;

	w->now -= cycles;
	return cycles;
}

/* Cycles from dispatch to the earliest start. In-order cores dispatch and start
 * at once. */
static int64_t stalls_delay(const struct sim *m)
{
	return m->b->model->in_order ? 0 : 1;
}

static void stalls_latency(struct stall_walk *w, bool load, int64_t to)
{
	*(load ? &w->loads : &w->dependency) += stalls_back(w, to);
}

/* A chain that ended belongs to the queue that it kept full. What the walk
 * began with belongs to nothing: it may be the drain of a pipeline. */
static void stalls_settle(struct stall_walk *w, bool chain_ended)
{
	enum sim_stall queue = w->queue;

	if (!chain_ended) {
		w->cycles[SIM_STALL_DEPENDENCY] += w->dependency;
		w->cycles[SIM_STALL_LOADS] += w->loads;
	} else if (queue != SIM_STALL_FRONT_END) {
		w->cycles[queue] += w->dependency + w->loads;
	} else if (!w->begins) {
		w->cycles[SIM_STALL_DEPENDENCY] += w->dependency;
		w->cycles[SIM_STALL_LOADS] += w->loads;
	}
	w->begins = false;
	w->dependency = w->loads = 0;
	w->queue = SIM_STALL_FRONT_END;
}

/* ---- steps ----------------------------------------------------------- */

/* The source that is ready last, with its cycles; NULL: none. */
static const struct dependency *stalls_last(const struct stall_walk *w,
					    const struct dependency *x,
					    const struct dependency *end,
					    int64_t *ret_time)
{
	uint32_t iteration = w->events[w->at].iteration;
	const struct dependency *last = NULL;

	for (; x < end; x++) {
		int64_t t;

		if (x->distance > iteration)
			continue;
		t = sim_row(w->m, iteration - x->distance)[x->result] +
		    x->cycles;
		if (!last || t > *ret_time) {
			last = x;
			*ret_time = t;
		}
	}
	return last;
}

/* The instruction that used one of its ports last; SIZE_MAX: none. */
static size_t stalls_on_port(const struct stall_walk *w)
{
	const struct sim_event *e = &w->events[w->at];
	size_t reach = 2 * (size_t)w->m->window + 64, best = SIZE_MAX;
	size_t first = w->at > reach ? w->at - reach : 0;

	for (size_t i = first; i < w->m->out->n_events && i < w->at + reach;
	     i++) {
		const struct sim_event *y = &w->events[i];

		if ((y->taken & e->taken) && y->started < e->started &&
		    (best == SIZE_MAX || y->started > w->events[best].started))
			best = i;
	}
	return best;
}

/* From the start of the instruction to what used its port before, to the
 * arrival of its sources, or to its dispatch. */
static void stalls_start(struct stall_walk *w)
{
	const struct sim *m = w->m;
	const struct sim_event *e = &w->events[w->at];
	int64_t own =
		e->dispatched + stalls_delay(m) + m->ops[e->op].load_to_use;
	int64_t sources = 0;
	const struct dependency *x;
	size_t before = e->ready < e->started ? stalls_on_port(w) : SIZE_MAX;

	if (before != SIZE_MAX) {
		w->at = before;
		w->cycles[SIM_STALL_PORTS] +=
			stalls_back(w, w->events[before].started);
		return;
	}
	w->cycles[SIM_STALL_PORTS] += stalls_back(w, e->ready);
	x = stalls_last(w, &m->dependencies[m->ops[e->op].first_dependency],
			&m->dependencies[m->ops[e->op + 1].first_dependency],
			&sources);
	w->source = x && sources >= own ? x : NULL;
	if (w->source) {
		w->stage = STAGE_SOURCE;
		return;
	}
	stalls_latency(w, true, e->dispatched + stalls_delay(m));
	w->cycles[SIM_STALL_FRONT_END] += stalls_back(w, e->dispatched);
	w->stage = STAGE_DISPATCHED;
}

/* Does the op do nothing but load? The result of other loads comes from their
 * computation. */
static bool stalls_loads(const struct stall_walk *w)
{
	const struct sim_event *e = &w->events[w->at];

	return w->m->b->ops[e->op].load && w->m->ops[e->op].load_to_use == 0;
}

/* From the arrival of a source to the start of its producer, or to the source
 * that the result itself waited for. */
static void stalls_source(struct stall_walk *w)
{
	const struct sim *m = w->m;
	const struct dependency *x = w->source;
	uint32_t r = x->result;
	bool load = x->cycles > 0 && m->b->ops[w->events[w->at].op].load;
	const struct sim_event *e = &w->events[w->at - x->back];
	int64_t start, by = INT64_MIN;

	w->at -= x->back;
	/* The rest of the consumer's latency. */
	stalls_latency(w, load, sim_row(m, e->iteration)[r]);
	start = m->results[r].is_early ? e->dispatched + stalls_delay(m)
				       : e->started;
	w->source = stalls_last(
		w, &m->extra_dependencies[m->results[r].first_extra],
		&m->extra_dependencies[m->results[r + 1].first_extra], &by);
	if (w->source && by > start + m->results[r].latency +
					 sim_takes_more(m, r, e->iteration))
		return;
	stalls_latency(w, stalls_loads(w), start);
	w->stage = STAGE_STARTED;
	if (!m->results[r].is_early)
		return;
	w->cycles[SIM_STALL_FRONT_END] += stalls_back(w, e->dispatched);
	w->stage = STAGE_DISPATCHED;
}

/* From a retirement: the instruction that retired first in this cycle kept the
 * others. */
static void stalls_retired(struct stall_walk *w)
{
	const struct sim_event *e = w->events;
	uint32_t cycle = e[w->at].retired;

	while (w->at > 0 && e[w->at - 1].retired == cycle)
		w->at--;
	stalls_latency(w, false, e[w->at].done);
	stalls_latency(w, stalls_loads(w), e[w->at].started);
	w->stage = STAGE_STARTED;
}

/* An earlier instruction that left a queue in this cycle, by its retirement or
 * by its start; SIZE_MAX: none. */
static size_t stalls_left(const struct stall_walk *w, bool retires,
			  uint32_t cycle)
{
	const struct sim_event *e = w->events;

	for (size_t i = w->at; i-- > 0;) {
		if ((retires ? e[i].retired : e[i].started) == cycle)
			return i;
		if (retires && e[i].retired < cycle)
			break;
	}
	return SIZE_MAX;
}

/* From a dispatch: to the one before, or to what left a full queue. */
static void stalls_dispatched(struct stall_walk *w)
{
	static const enum sim_stall stalls[SIM_N_HOLDS] = {
		[SIM_HOLD_WINDOW] = SIM_STALL_WINDOW,
		[SIM_HOLD_SCHEDULER] = SIM_STALL_SCHEDULER,
		[SIM_HOLD_GENERAL] = SIM_STALL_SCHEDULER,
		[SIM_HOLD_VECTORS] = SIM_STALL_VECTORS,
		[SIM_HOLD_LOADS] = SIM_STALL_LOAD_BUFFER,
		[SIM_HOLD_REGISTERS] = SIM_STALL_REGISTERS,
		[SIM_HOLD_PORTS] = SIM_STALL_PORTS,
	};
	const struct sim_event *e = &w->events[w->at];
	enum sim_stall stall = stalls[e->hold];
	bool starts = e->hold == SIM_HOLD_SCHEDULER ||
		      e->hold == SIM_HOLD_GENERAL ||
		      e->hold == SIM_HOLD_VECTORS;
	/* From the start until the place is free. */
	uint32_t after = e->hold == SIM_HOLD_GENERAL ? w->m->release : 0;
	size_t by = SIZE_MAX;

	stalls_settle(w, true);
	if (stall > SIM_STALL_LOADS && e->dispatched >= after)
		by = stalls_left(w, !starts, e->dispatched - after);
	if (by == SIZE_MAX) {
		w->at--;
		w->cycles[stall > SIM_STALL_LOADS ? SIM_STALL_FRONT_END
						  : stall] +=
			stalls_back(w, w->events[w->at].dispatched);
		return;
	}
	w->queue = stall;
	w->at = by;
	w->stage = STAGE_STARTED;
	if (starts)
		w->cycles[stall] += stalls_back(w, w->events[by].started);
	else
		stalls_retired(w);
}

/* When the operands of each instruction were ready. */
static void stalls_find_ready(const struct sim *m)
{
	struct simulation *s = m->out;

	for (size_t i = 0; i < s->n_events; i++) {
		struct sim_event *e = &s->events[i];
		int64_t ready = sim_later(e->dispatched + stalls_delay(m) +
						  m->ops[e->op].load_to_use,
					  sim_start(m, e->op, e->iteration));

		e->ready = ready < e->started ? (uint32_t)ready : e->started;
	}
}

void sim_find_stalls(struct sim *m)
{
	static void (*const steps[])(struct stall_walk * w) = {
		[STAGE_STARTED] = stalls_start,
		[STAGE_SOURCE] = stalls_source,
		[STAGE_DISPATCHED] = stalls_dispatched,
	};
	struct simulation *s = m->out;
	struct stall_walk w = { .m = m, .events = s->events, .begins = true };
	int64_t end, sum = 0;

	stalls_find_ready(m);
	if (s->n_events == 0)
		return;
	w.at = s->n_events - 1;
	w.now = s->events[w.at].retired;
	end = w.now / 2;
	stalls_retired(&w);
	/* Follow a chain a little further, to see whether it has a start. */
	while (w.at > 0 && (w.now > end ||
			    (w.now > end / 2 && w.stage != STAGE_DISPATCHED)))
		steps[w.stage](&w);
	stalls_settle(&w, w.stage == STAGE_DISPATCHED);
	for (size_t k = 0; k < SIM_N_STALLS; k++)
		sum += w.cycles[k];
	for (size_t k = 0; k < SIM_N_STALLS && sum > 0; k++)
		s->stalls[k] = (double)w.cycles[k] / (double)sum;
}
