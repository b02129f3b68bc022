/* See core.h.  A run is cut into segments in which the speed is constant; an
 * event handler runs at each end of a segment. */
#include "tests/adversary/core.h"
#include "tests/adversary/effects.h"

#include <math.h>

static const double us = 1e3, ms = 1e6, s = 1e9;

/* A slower run than this is disturbed. */
static const double clean_limit = 1.003;

static void earliest(struct core *c)
{
	c->next = INFINITY;
	for (int i = 0; i < N_EVENTS; i++)
		if (c->at[i] < c->next)
			c->next = c->at[i];
}

static void stall(struct core *c, double ns)
{
	c->now += ns;
	c->clean = false;
}

/* ---- events -------------------------------------------------------------- */

static void on_drift(struct core *c)
{
	const double often = 50 * us, walk_ns = 0.2 * s, fast = 0.07;
	const struct machine *m = c->m;
	double turn = 2 * M_PI * c->now / m->drift_ns + c->phase;
	double keep = exp(-(c->now - c->drifted) / walk_ns);
	double off = m->drift_sine * (sin(turn) + sin(turn / fast) / 4);

	/* Its standard deviation is a half, and it is cut at 1. */
	c->walk = keep * c->walk +
		  sqrt(0.75 * (1 - keep * keep)) * rng_between(&c->rng, -1, 1);
	c->drifted = c->now;
	c->ghz = c->p->ghz *
		 (1 + off + m->drift_walk * fmax(fmin(c->walk, 1), -1));
	c->at[EVENT_DRIFT] = c->now + often;
}

/* An episode of a sibling begins or ends. */
static void on_sibling(struct core *c)
{
	const double busy = c->p->sibling_busy, mean = c->p->sibling_ns;
	const double idle = busy < 1 ? mean * (1 - busy) / busy : 0;
	double *at = &c->at[EVENT_SIBLING];

	/* Loads are slow after its 64-byte code. */
	if (c->busy && c->workload == 0 && c->m->sibling_wide)
		c->loads_until = fmax(c->loads_until, *at + c->m->settle_ns);
	/* Far behind: episodes are memoryless, so one may begin at this
	 * time. */
	if (c->now - *at > 20 * (mean + idle)) {
		c->busy = rng_unit(&c->rng) < busy;
		*at = c->now;
	} else {
		c->busy = idle == 0 || !c->busy;
	}
	if (busy == 0 || isinf(idle)) {
		c->busy = false;
		*at = INFINITY;
		return;
	}
	c->intensity = rng_between(&c->rng, 0.05, 1);
	c->workload = rng_below(&c->rng, N_WORKLOADS);
	*at += rng_exponential(&c->rng, c->busy ? mean : idle);
}

static void on_preempt(struct core *c)
{
	const double shortest = 20 * us;
	double *at = &c->at[EVENT_PREEMPT];
	double end = *at + rng_log(&c->rng, shortest, c->m->preempt_ns);

	if (end > c->now)
		stall(c, end - c->now);
	*at = end + rng_exponential(&c->rng, c->m->preempt_gap_ns);
}

static void on_storm(struct core *c)
{
	const double shortest = 1 * ms;
	double *at = &c->at[EVENT_STORM];

	c->storm = !c->storm;
	c->at[EVENT_STALL] = c->storm ? *at : INFINITY;
	*at += c->storm ? rng_log(&c->rng, shortest, c->m->storm_ns)
			: rng_exponential(&c->rng, c->m->storm_gap_ns);
}

static void on_stall(struct core *c)
{
	const double gap = 9 * us, old = 1;
	double *at = &c->at[EVENT_STALL];

	/* Stalls while nothing ran have no effect. */
	if (c->now - *at < old)
		stall(c, c->m->stall_ns);
	*at = c->now + rng_exponential(&c->rng, gap);
}

static void on_after(struct core *c)
{
	stall(c, c->m->after_stall_ns);
	c->at[EVENT_AFTER] = INFINITY;
}

static unsigned level_of(enum width w)
{
	return w < WIDTH_256 ? 0 : w - WIDTH_128;
}

static void set_licence(struct core *c, unsigned level)
{
	c->licence = level;
	stall(c, c->m->licence_stall_ns);
}

/* When the frequency licence ends unless wide code renews it. */
static double licence_end(const struct core *c)
{
	return c->licence > c->running
		       ? c->class[WIDTH_128 + c->licence].hold_until
		       : INFINITY;
}

static void on_licence(struct core *c)
{
	unsigned level = c->running;

	for (unsigned i = N_LICENCES - 1; i > level; i--)
		if (c->class[WIDTH_128 + i].hold_until > c->now)
			level = i;
	if (level < c->licence)
		set_licence(c, level);
	c->at[EVENT_LICENCE] = licence_end(c);
}

static void on_throttle(struct core *c)
{
	double *at = &c->at[EVENT_THROTTLE];

	*at = effect_throttle(c->m, &c->rng, *at, c->now, &c->throttled);
}

static void handle(struct core *c)
{
	static void (*const handlers[N_EVENTS])(struct core *) = {
		[EVENT_DRIFT] = on_drift,     [EVENT_SIBLING] = on_sibling,
		[EVENT_PREEMPT] = on_preempt, [EVENT_STORM] = on_storm,
		[EVENT_STALL] = on_stall,     [EVENT_AFTER] = on_after,
		[EVENT_LICENCE] = on_licence, [EVENT_THROTTLE] = on_throttle,
	};

	while (c->next <= c->now) {
		for (int i = 0; i < N_EVENTS; i++)
			if (c->at[i] == c->next) {
				handlers[i](c);
				break;
			}
		earliest(c);
	}
}

/* ---- a width class ------------------------------------------------------- */

/* Bring the hidden state up to date. */
static void change_state(struct core *c, enum width w)
{
	const struct state_parameters *p = &c->m->states[w];
	struct core_class *x = &c->class[w];
	double mean = p->dwell_ns[0] / p->fast;

	if (c->now - x->until > 20 * mean) {
		double other = rng_unit(&c->rng) * (mean - p->dwell_ns[0]);

		x->until = c->now;
		x->state = 0;
		if (rng_unit(&c->rng) >= p->fast)
			for (x->state = 1; x->state < p->n - 1; x->state++) {
				other -= p->dwell_ns[x->state] / (p->n - 1);
				if (other < 0)
					break;
			}
		x->until += rng_exponential(&c->rng, p->dwell_ns[x->state]);
	}
	while (x->until <= c->now) {
		x->state = x->state == 0 ? 1 + rng_below(&c->rng, p->n - 1) : 0;
		x->until += rng_exponential(&c->rng, p->dwell_ns[x->state]);
	}
}

static bool is_slow_load(const struct core *c, const struct kernel *k)
{
	return k->kind == KIND_LOAD && k->width == WIDTH_256 &&
	       machine_has(c->m, DISTURB_LOADS) &&
	       (c->now < c->loads_until ||
		(c->busy && c->workload == 0 && c->m->sibling_wide));
}

static bool is_wrong_probe(const struct core *c, const struct kernel *k)
{
	const struct wrong_probe *w = &c->m->wrong;

	return k->probe != N_PROBES && k->probe == w->probe &&
	       machine_has(c->m, DISTURB_PROBE) && c->now >= w->from_ns &&
	       (w->width == WIDTH_NONE || w->width == c->measured);
}

static double slowness(const struct core *c, const struct kernel *k)
{
	const struct core_class *x = &c->class[k->width];
	double slow = k->state[x->state];

	if (c->busy)
		slow *= 1 + c->intensity * k->sibling[c->workload];
	if (x->asleep)
		slow *= c->m->asleep;
	if (is_slow_load(c, k))
		slow *= c->m->loads_slow;
	if (is_wrong_probe(c, k))
		slow *= c->m->wrong.slow;
	if (effect_is_throttled(k))
		slow *= c->throttled;
	if (machine_has(c->m, DISTURB_PLACE))
		slow *= effect_of_place(c->m, k, c->place);
	return slow;
}

/* Until when the speed of this kernel is constant. */
static double horizon(const struct core *c, const struct kernel *k)
{
	const struct core_class *x = &c->class[k->width];
	double end = fmin(c->next, x->until);

	if (x->asleep)
		end = fmin(end, c->now + c->m->stay_ns - x->activity);
	if (c->loads_until > c->now)
		end = fmin(end, c->loads_until);
	return end;
}

static void begin_wide(struct core *c, enum width w)
{
	struct core_class *x = &c->class[w];

	if (machine_has(c->m, DISTURB_SLEEP) &&
	    c->now - x->last > c->m->doze_ns) {
		x->asleep = true;
		x->activity = 0;
	}
	c->at[EVENT_AFTER] = INFINITY;
	if (machine_has(c->m, DISTURB_LICENCE)) {
		c->running = level_of(w);
		if (c->licence < c->running)
			set_licence(c, c->running);
		c->at[EVENT_LICENCE] = licence_end(c);
	}
	earliest(c);
}

static void end_wide(struct core *c, enum width w)
{
	/* Wider code keeps the units of narrower code powered up. */
	for (enum width i = WIDTH_256; i <= w; i++) {
		c->class[i].last = c->now;
		c->class[i].hold_until = c->now + c->m->licence_ns;
	}
	if (machine_has(c->m, DISTURB_STALL))
		c->at[EVENT_AFTER] = c->now + c->m->after_ns;
	if (w == WIDTH_512)
		c->loads_until = c->now + c->m->settle_ns;
	c->running = 0;
	if (machine_has(c->m, DISTURB_LICENCE))
		c->at[EVENT_LICENCE] = licence_end(c);
	earliest(c);
}

/* ---- runs ---------------------------------------------------------------- */

static double frequency(const struct core *c)
{
	return c->ghz * (1 - c->m->licence_slow[c->licence]);
}

/* Run a kernel for this many cycles. */
static void work(struct core *c, const struct kernel *k, double cycles)
{
	struct core_class *x = &c->class[k->width];

	while (cycles > 0) {
		handle(c);
		if (x->until <= c->now)
			change_state(c, k->width);

		double slow = slowness(c, k), end = horizon(c, k);
		double ghz = frequency(c) / slow, ns = cycles / ghz;

		c->clean &= slow <= clean_limit;
		if (c->now + ns <= end) {
			c->now += ns;
			cycles = 0;
		} else {
			ns = end - c->now;
			c->now = end;
			cycles -= ns * ghz;
		}
		if (!x->asleep)
			continue;
		/* A little more, as the horizon is a rounded sum. */
		x->activity += ns + 1e-3;
		x->asleep = x->activity < c->m->stay_ns;
	}
}

uint64_t core_ticks(const struct core *c)
{
	return (uint64_t)(c->now * c->steps_per_ns) * c->step_ticks;
}

static uint64_t reading(struct core *c)
{
	const double most = 1 * ms;
	uint64_t ticks = core_ticks(c);

	if (!machine_has(c->m, DISTURB_JUMP) || (c->to_jump -= 1) > 0)
		return ticks;
	c->to_jump = rng_exponential(&c->rng, 1 / c->m->jump);
	c->clean = false;
	return ticks + (uint64_t)(int64_t)(rng_between(&c->rng, -most, most) *
					   c->m->tsc_ghz);
}

struct core_run core_run(struct core *c, const struct kernel *k, double cycles)
{
	static const struct kernel nothing = { .probe = N_PROBES,
					       .width = WIDTH_NONE,
					       .state = { 1, 1, 1, 1 } };
	const double around = 100, jitter = 60;
	bool wide = k && (k->width == WIDTH_256 || k->width == WIDTH_512);
	struct core_run r;

	/* Registers are loaded before the first reading. */
	c->now += (around + jitter * rng_unit(&c->rng)) / c->ghz;
	handle(c);
	if (wide)
		begin_wide(c, k->width);
	c->clean = true;
	r.begin = reading(c);
	work(c, &nothing, c->p->reading_cycles);
	if (k)
		work(c, k, cycles);
	r.end = reading(c);
	if (wide)
		end_wide(c, k->width);
	r.clean = c->clean;
	return r;
}

void core_idle(struct core *c, double ns)
{
	c->now += ns;
}

void core_pass(struct core *c, double ns)
{
	double begin = c->now, passed;

	c->now += ns;
	/* Preemptions meanwhile delay the other kernels. */
	while (c->at[EVENT_PREEMPT] <= c->now)
		on_preempt(c);
	passed = c->now - begin;
	for (enum width w = 0; w < N_WIDTHS; w++) {
		c->class[w].last += passed;
		c->class[w].hold_until += passed;
	}
	c->loads_until += passed;
	c->at[EVENT_AFTER] += passed;
	c->at[EVENT_LICENCE] += passed;
	earliest(c);
}

struct core core_new(const struct machine *m, unsigned index)
{
	struct core c = { .m = m,
			  .p = &m->core[index],
			  .rng = rng_new(m->seed, 10 + index),
			  .throttled = 1,
			  .measured = WIDTH_NONE };

	c.ghz = c.p->ghz;
	c.phase = rng_between(&c.rng, 0, 2 * M_PI);
	c.step_ticks = (uint64_t)fmax(round(m->step_ns * m->tsc_ghz), 1);
	c.steps_per_ns = m->tsc_ghz / (double)c.step_ticks;
	c.to_jump = rng_exponential(&c.rng, 1 / m->jump);
	for (int i = 0; i < N_EVENTS; i++)
		c.at[i] = INFINITY;
	if (machine_has(m, DISTURB_DRIFT))
		c.at[EVENT_DRIFT] = 0;
	if (machine_has_sibling(m))
		c.at[EVENT_SIBLING] = -INFINITY;
	if (machine_has(m, DISTURB_PREEMPT))
		c.at[EVENT_PREEMPT] =
			rng_exponential(&c.rng, m->preempt_gap_ns);
	if (machine_has(m, DISTURB_THROTTLE))
		c.at[EVENT_THROTTLE] = 0;
	if (machine_has(m, DISTURB_STORM))
		c.at[EVENT_STORM] = rng_exponential(&c.rng, m->storm_gap_ns);
	for (enum width w = 0; w < N_CLASSES; w++) {
		bool many = w < N_WIDTHS && machine_has(m, DISTURB_STATES) &&
			    m->states[w].n > 1;

		c.class[w].until = many ? -INFINITY : INFINITY;
		c.class[w].last = -s;
	}
	earliest(&c);
	return c;
}
