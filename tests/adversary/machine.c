/* Drawing a machine; see machine.h. */
#include "tests/adversary/machine.h"

#include <math.h>
#include <string.h>

#include "tests/adversary/rng.h"

static const double us = 1e3, ms = 1e6, s = 1e9;

/* How often a seed has a disturbance. */
static const struct {
	const char *name;
	double share;
} disturbances[N_DISTURBANCES] = {
	[DISTURB_DRIFT] = { "drift", 0.9 },
	[DISTURB_SIBLING] = { "sibling", 0.7 },
	[DISTURB_NEVER] = { "never", 0.07 },
	[DISTURB_PREEMPT] = { "preempt", 0.8 },
	[DISTURB_STORM] = { "storm", 0.4 },
	[DISTURB_JUMP] = { "jump", 0.3 },
	[DISTURB_STATES] = { "states", 0.4 },
	[DISTURB_STALL] = { "stall", 0.4 },
	[DISTURB_SLEEP] = { "sleep", 0.4 },
	[DISTURB_LOADS] = { "loads", 0.3 },
	[DISTURB_PROBE] = { "probe", 0.2 },
	[DISTURB_LICENCE] = { "licence", 0.4 },
	[DISTURB_CORES] = { "cores", 0.3 },
	[DISTURB_THROTTLE] = { "throttle", 0 },
	[DISTURB_PLACE] = { "place", 0 },
};

enum disturbance machine_disturbance(const char *name)
{
	enum disturbance d = 0;

	while (d < N_DISTURBANCES && strcmp(disturbances[d].name, name) != 0)
		d++;
	return d;
}

const char *machine_disturbance_name(enum disturbance d)
{
	return disturbances[d].name;
}

enum how { EVEN, LOGARITHMIC };

struct range {
	size_t offset;
	enum how how;
	double low, high;
};

#define MACHINE(field) offsetof(struct machine, field)
#define CORE(field)    offsetof(struct core_parameters, field)

static void draw_table(struct rng *r, const struct range *list, size_t n,
		       void *ret)
{
	for (size_t i = 0; i < n; i++) {
		const struct range *x = &list[i];
		double value = x->how == EVEN ? rng_between(r, x->low, x->high)
					      : rng_log(r, x->low, x->high);

		memcpy((char *)ret + x->offset, &value, sizeof(value));
	}
}

static void draw_core(struct rng *r, struct core_parameters *p)
{
	const struct range ranges[] = {
		/* Core frequency. */
		{ CORE(ghz), EVEN, 2, 5 },
		/* Cost of the two readings and the barriers. */
		{ CORE(reading_cycles), EVEN, 30, 150 },
		/* Share of the time in which the sibling is busy. */
		{ CORE(sibling_busy), EVEN, 0, 0.95 },
		/* Mean length of its episodes. */
		{ CORE(sibling_ns), LOGARITHMIC, 50 * us, 5 * s },
	};

	draw_table(r, ranges, sizeof(ranges) / sizeof(*ranges), p);
}

static void draw_states(struct rng *r, struct state_parameters *p)
{
	double mean = 0;

	/* States, the fast one among them. */
	p->n = 1 + rng_below(r, MAX_STATES);
	/* Do kernels differ in what a state does to them? */
	p->own = rng_unit(r) < 0.5;
	/* Share of the time in the fast one. */
	p->fast = p->n == 1 ? 1 : rng_between(r, 0.2, 0.95);
	p->slow[0] = 1;
	for (unsigned i = 1; i < MAX_STATES; i++) {
		/* How slow the others are. */
		p->slow[i] = rng_log(r, 1.05, 4);
		/* How long they last. */
		p->dwell_ns[i] = rng_log(r, 1 * us, 100 * ms);
		if (i < p->n)
			mean += p->dwell_ns[i] / (p->n - 1);
	}
	p->dwell_ns[0] = p->n == 1 ? INFINITY : mean * p->fast / (1 - p->fast);
}

static void draw_wrong_probe(struct rng *r, struct wrong_probe *p)
{
	/* One of the three probes. */
	p->probe = PROBE_SIBLING + rng_below(r, N_PROBES);
	/* How slow it is. */
	p->slow = rng_log(r, 1.15, 3);
	/* In all rows of a class, or from a time on. */
	p->width = p->probe == PROBE_SIBLING ? rng_below(r, N_WIDTHS)
		   : p->probe == PROBE_WIDE  ? WIDTH_256 + rng_below(r, 2)
					     : WIDTH_256;
	p->from_ns = 0;
	if (rng_unit(r) < 0.5) {
		p->width = WIDTH_NONE;
		/* At once, or during the first passes. */
		p->from_ns = fmax(rng_between(r, -3 * s, 10 * s), 0);
	}
}

static void draw_disturbances(struct rng *r, struct machine *m)
{
	const struct range ranges[] = {
		/* The clock's rate, and how far it advances at a time. */
		{ MACHINE(tsc_ghz), EVEN, 1, 4 },
		{ MACHINE(step_ns), LOGARITHMIC, 1, 30 },
		/* Drift: a sine and a random walk, 1.5 % together. */
		{ MACHINE(drift_sine), EVEN, 0, 0.008 },
		{ MACHINE(drift_ns), LOGARITHMIC, 20 * ms, 2 * s },
		{ MACHINE(drift_walk), EVEN, 0, 0.005 },
		/* Preemption: mean gap, the longest. */
		{ MACHINE(preempt_gap_ns), LOGARITHMIC, 5 * ms, 200 * ms },
		{ MACHINE(preempt_ns), LOGARITHMIC, 100 * us, 10 * ms },
		/* Bursts: mean gap, mean length, length of a stall. */
		{ MACHINE(storm_gap_ns), LOGARITHMIC, 0.1 * s, 1 * s },
		{ MACHINE(storm_ns), LOGARITHMIC, 1 * ms, 10 * ms },
		{ MACHINE(stall_ns), EVEN, 1 * us, 3 * us },
		/* Wrong readings. */
		{ MACHINE(jump), LOGARITHMIC, 1e-6, 1e-4 },
		/* The stall after wide code: when, and how long. */
		{ MACHINE(after_ns), EVEN, 1 * us, 4 * us },
		{ MACHINE(after_stall_ns), EVEN, 0.5 * us, 2 * us },
		/* Wide units: power down after, up after, slower by. */
		{ MACHINE(doze_ns), LOGARITHMIC, 0.3 * ms, 2 * ms },
		{ MACHINE(stay_ns), LOGARITHMIC, 0.05 * ms, 2 * ms },
		{ MACHINE(asleep), EVEN, 2, 6 },
		/* Loads of 32 bytes after 64-byte code: how long, how slow. */
		{ MACHINE(settle_ns), LOGARITHMIC, 0.1 * ms, 2 * ms },
		{ MACHINE(loads_slow), EVEN, 1.1, 2 },
		/* Licences: frequency lost, how long they stay, the stall. */
		{ MACHINE(licence_slow[1]), EVEN, 0.03, 0.25 },
		{ MACHINE(licence_slow[2]), EVEN, 0.03, 0.25 },
		{ MACHINE(licence_ns), LOGARITHMIC, 0.5 * ms, 2 * ms },
		{ MACHINE(licence_stall_ns), EVEN, 5 * us, 20 * us },
	};

	draw_table(r, ranges, sizeof(ranges) / sizeof(*ranges), m);
	m->licence_slow[0] = 0;
	m->licence_slow[2] = fmax(m->licence_slow[1], m->licence_slow[2]);
	/* Does 64-byte code of the sibling slow loads, too? */
	m->sibling_wide = rng_unit(r) < 0.5;
}

/* Of effects that are never drawn: their stream is one of its own, and the other
 * parameters are what they were. */
static void draw_effects(uint64_t seed, struct machine *m)
{
	const struct range ranges[] = {
		/* Throttling: how long, and how long between. */
		{ MACHINE(throttle_ns), LOGARITHMIC, 2 * ms, 2 * s },
		{ MACHINE(throttle_gap_ns), LOGARITHMIC, 2 * ms, 2 * s },
		/* Places of a kernel in which it is slow, and how slow. */
		{ MACHINE(place_share), EVEN, 0.1, 0.4 },
		{ MACHINE(place_slow), EVEN, 1.1, 1.5 },
	};
	struct rng r = rng_new(seed, 4);

	draw_table(&r, ranges, sizeof(ranges) / sizeof(*ranges), m);
}

struct machine machine_draw(uint64_t seed, unsigned only)
{
	struct machine m = { .seed = seed };
	struct rng r = rng_new(seed, 1);

	for (unsigned d = 0; d < DISTURB_THROTTLE; d++)
		m.on |= (rng_unit(&r) < disturbances[d].share) << d;
	if (only)
		m.on = only;
	/* Parameters are drawn whether they are used or not: a machine with
	 * fewer disturbances is the same machine. */
	for (unsigned i = 0; i < MAX_CORES; i++)
		draw_core(&r, &m.core[i]);
	for (unsigned w = 0; w < N_WIDTHS; w++)
		draw_states(&r, &m.states[w]);
	draw_disturbances(&r, &m);
	draw_wrong_probe(&r, &m.wrong);
	draw_effects(seed, &m);
	m.n_cores = machine_has(&m, DISTURB_CORES) ? 2 : 1;
	for (unsigned i = 0; i < MAX_CORES; i++)
		if (machine_has(&m, DISTURB_NEVER))
			m.core[i].sibling_busy = 1;
	return m;
}

double machine_silence(const struct machine *m, enum width w, double row_ns)
{
	const struct state_parameters *p = &m->states[w];
	double least = 1;

	for (unsigned i = 0; i < m->n_cores; i++) {
		double busy = m->core[i].sibling_busy;
		double idle_ns = m->core[i].sibling_ns * (1 - busy) / busy;
		double silent = 1;

		if (machine_has_sibling(m))
			silent *= busy < 1 ? (1 - busy) * exp(-row_ns / idle_ns)
					   : 0;
		if (machine_has(m, DISTURB_STATES))
			silent *= p->fast * exp(-row_ns / p->dwell_ns[0]);
		least = fmin(least, silent);
	}
	return least;
}
