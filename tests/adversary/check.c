/* Each disturbance of a simulated core alone has the effect that machine.h
 * describes, and no other. */
#include <math.h>

#include "tests/adversary/core.h"
#include "tests/unit/unit.h"

static const double us = 1e3, ms = 1e6, s = 1e9;

enum { GHZ = 4, CYCLES = 4000 }; /* a run of 1 us */

static const struct kernel chain = {
	.width = WIDTH_NONE,
	.chain = true,
	.probe = N_PROBES,
	.cycles = 1,
	.state = { 1, 1, 1, 1 },
};

/* With round numbers. */
static struct machine quiet_machine(enum disturbance d)
{
	struct machine m = machine_draw(1, 1u << d);

	m.tsc_ghz = 1;
	m.step_ns = 1;
	m.core[0] = (struct core_parameters){ .ghz = GHZ,
					      .reading_cycles = 40,
					      .sibling_busy = 0.3,
					      .sibling_ns = 100 * us };
	for (int w = 0; w < N_WIDTHS; w++)
		m.states[w] = (struct state_parameters){
			.n = 2,
			.fast = 0.75,
			.slow = { 1, 2 },
			.dwell_ns = { 300 * us, 100 * us },
		};
	return m;
}

static struct kernel kernel_of(enum width w, double slow)
{
	return (struct kernel){ .width = w,
				.cycles = 1,
				.sibling = { 1, 1, 1, 1 },
				.state = { 1, slow, slow, slow } };
}

static double run_cycles(struct core *c, const struct kernel *k, double cycles)
{
	struct core_run r = core_run(c, k, cycles);

	return (double)(r.end - r.begin);
}

/* Nanoseconds of a run of 1 us. */
static double run_ns(struct core *c, const struct kernel *k)
{
	return run_cycles(c, k, CYCLES);
}

static bool is_near(double value, double wanted, double tolerance)
{
	return fabs(value - wanted) <= tolerance;
}

/* The share of this much time that is spent in runs of more than `limit`. */
static double slow_share(struct core *c, const struct kernel *k, double ns,
			 double limit)
{
	double end = c->now + ns, sum = 0, slow = 0;

	while (c->now < end) {
		double one = run_ns(c, k);

		sum += one;
		slow += one > limit ? one : 0;
	}
	return slow / sum;
}

TEST(silence_is_exact)
{
	struct machine m = quiet_machine(DISTURB_CORES);
	struct kernel wide = kernel_of(WIDTH_512, 2);
	struct core c;

	m.n_cores = 1;
	c = core_new(&m, 0);
	for (int i = 0; i < 1000; i++) {
		struct core_run r = core_run(&c, &wide, CYCLES);

		assert_true(r.clean);
		assert_true(is_near((double)(r.end - r.begin), 1010, 1));
	}
	m.step_ns = 25;
	c = core_new(&m, 0);
	for (int i = 0; i < 1000; i++)
		assert_int_equal((uint64_t)run_ns(&c, &wide) % 25, 0);
}

TEST(drift)
{
	struct machine m = quiet_machine(DISTURB_DRIFT);
	struct core c;
	double least = INFINITY, most = 0;

	m.drift_sine = 0.008;
	m.drift_walk = 0.005;
	m.drift_ns = 100 * ms;
	c = core_new(&m, 0);
	for (int i = 0; i < 2000; i++) {
		double ns = run_cycles(&c, &chain, 100 * CYCLES);

		least = fmin(least, ns);
		most = fmax(most, ns);
		core_pass(&c, 1 * ms);
	}
	assert_true(least >= 98.4 * us && least < 99.5 * us);
	assert_true(most <= 101.7 * us && most > 100.5 * us);
}

TEST(sibling)
{
	struct machine m = quiet_machine(DISTURB_SIBLING);
	struct kernel k = kernel_of(WIDTH_GENERAL, 2), other = chain;
	struct core c = core_new(&m, 0);

	assert_true(is_near(slow_share(&c, &k, 1 * s, 1020), 0.3, 0.03));
	assert_true(slow_share(&c, &k, 0.1 * s, 2100) == 0);
	assert_true(slow_share(&c, &other, 0.1 * s, 1020) == 0);
	/* The same after idle times. */
	for (int i = 0; i < 50; i++)
		core_pass(&c, 1 * ms);
	assert_true(is_near(slow_share(&c, &k, 1 * s, 1020), 0.3, 0.03));
}

TEST(never_silent)
{
	struct machine m = quiet_machine(DISTURB_NEVER);
	struct kernel k = kernel_of(WIDTH_GENERAL, 2);
	struct core c;

	m.core[0].sibling_busy = 1;
	c = core_new(&m, 0);
	assert_true(slow_share(&c, &k, 0.1 * s, 1020) == 1);
	/* Another intensity each time. */
	assert_true(is_near(slow_share(&c, &k, 0.2 * s, 1500), 0.58, 0.15));
}

TEST(preemption)
{
	struct machine m = quiet_machine(DISTURB_PREEMPT);
	struct core c;
	double n = 0, longest = 0;

	m.preempt_gap_ns = 5 * ms;
	m.preempt_ns = 200 * us;
	c = core_new(&m, 0);
	while (c.now < 2 * s) {
		double ns = run_ns(&c, &chain);

		n += ns > 20 * us;
		longest = fmax(longest, ns);
	}
	assert_true(is_near(n, 380, 60));
	assert_true(longest > 150 * us && longest < 202 * us);
}

TEST(storm)
{
	struct machine m = quiet_machine(DISTURB_STORM);
	struct core c;

	m.storm_gap_ns = 20 * ms;
	m.storm_ns = 10 * ms;
	m.stall_ns = 2 * us;
	c = core_new(&m, 0);
	/* Mean length 3.9 ms: a sixth of the time, a stall of 2 us each 11 us
	 * of it, with the rest of its run. */
	assert_true(is_near(slow_share(&c, &chain, 4 * s, 2900), 0.045, 0.015));
	assert_true(slow_share(&c, &chain, 0.1 * s, 7200) == 0);
}

TEST(jump)
{
	struct machine m = quiet_machine(DISTURB_JUMP);
	struct core c;
	int n = 0;

	m.jump = 1e-3;
	c = core_new(&m, 0);
	for (int i = 0; i < 100000; i++) {
		struct core_run r = core_run(&c, &chain, CYCLES);
		double ns = (double)(int64_t)(r.end - r.begin);

		assert_true(fabs(ns) < 1.01 * ms);
		assert_true(!r.clean || is_near(ns, 1010, 1));
		n += !r.clean;
	}
	assert_true(n > 150 && n < 250);
}

TEST(states)
{
	struct machine m = quiet_machine(DISTURB_STATES);
	struct kernel k = kernel_of(WIDTH_256, 2),
		      own = kernel_of(WIDTH_256, 1.2);
	struct kernel other = kernel_of(WIDTH_512, 2);
	struct core c = core_new(&m, 0);
	int agree = 0, others = 0;

	assert_true(is_near(slow_share(&c, &k, 1 * s, 1500), 0.25, 0.04));
	assert_true(slow_share(&c, &k, 0.1 * s, 2015) == 0);
	for (int i = 0; i < 1000; i++) {
		bool slow = run_ns(&c, &k) > 1500;

		agree += slow == (run_ns(&c, &own) > 1100);
		others += slow == (run_ns(&c, &other) > 1500);
		core_pass(&c, 1 * ms);
	}
	assert_true(agree > 980 && others < 750);
	assert_true(slow_share(&c, &chain, 0.1 * s, 1011) == 0);
}

TEST(stall_after_wide_code)
{
	struct machine m = quiet_machine(DISTURB_STALL);
	struct kernel wide = kernel_of(WIDTH_256, 2);
	struct core c;

	m.after_ns = 1500;
	m.after_stall_ns = 700;
	c = core_new(&m, 0);
	for (int i = 0; i < 100; i++) {
		assert_true(is_near(run_ns(&c, &wide), 1010, 1));
		assert_true(is_near(run_ns(&c, &chain), 1010, 1));
		assert_true(is_near(run_ns(&c, &chain), 1710, 1));
		assert_true(is_near(run_ns(&c, &chain), 1010, 1));
	}
}

TEST(sleep)
{
	struct machine m = quiet_machine(DISTURB_SLEEP);
	struct kernel wide = kernel_of(WIDTH_256, 2);
	struct kernel widest = kernel_of(WIDTH_512, 2);
	struct core c;

	m.doze_ns = 500 * us;
	m.stay_ns = 100 * us;
	m.asleep = 3;
	c = core_new(&m, 0);
	assert_true(is_near(run_ns(&c, &widest), 3010, 1));
	/* Wider code powers its units up, and keeps the narrower ones up. */
	for (int i = 0; i < 1000; i++)
		(void)run_ns(&c, &widest);
	assert_true(is_near(run_ns(&c, &widest), 1010, 1));
	assert_true(is_near(run_ns(&c, &wide), 1010, 1));
	core_pass(&c, 1 * ms);
	assert_true(is_near(run_ns(&c, &wide), 1010, 1));
	core_idle(&c, 1 * ms);
	for (int i = 0; i < 33; i++)
		assert_true(is_near(run_ns(&c, &wide), 3010, 1));
	(void)run_ns(&c, &wide);
	assert_true(is_near(run_ns(&c, &wide), 1010, 1));
	assert_true(is_near(run_ns(&c, &chain), 1010, 1));
}

TEST(loads_after_the_widest)
{
	struct machine m = quiet_machine(DISTURB_LOADS);
	struct kernel load = kernel_of(WIDTH_256, 2);
	struct kernel widest = kernel_of(WIDTH_512, 2), wide = load;
	struct core c;
	double from;

	load.kind = KIND_LOAD;
	m.settle_ns = 100 * us;
	m.loads_slow = 1.5;
	c = core_new(&m, 0);
	assert_true(is_near(run_ns(&c, &load), 1010, 1));
	(void)run_ns(&c, &widest);
	for (from = c.now; c.now - from < 97 * us;) {
		assert_true(is_near(run_ns(&c, &load), 1510, 1));
		assert_true(is_near(run_ns(&c, &wide), 1010, 1));
	}
	(void)run_ns(&c, &load);
	(void)run_ns(&c, &load);
	assert_true(is_near(run_ns(&c, &load), 1010, 1));
}

/* Workload 0 of a sibling is on 64 bytes: loads are slow during it, and for
 * some time after it. */
TEST(loads_after_the_sibling)
{
	struct machine m = quiet_machine(DISTURB_LOADS);
	struct kernel load = kernel_of(WIDTH_256, 2);
	struct core c;

	load.kind = KIND_LOAD;
	for (int i = 0; i < N_WORKLOADS; i++)
		load.sibling[i] = 0;
	m.on |= 1u << DISTURB_SIBLING;
	m.settle_ns = 50 * us;
	m.loads_slow = 1.5;
	m.sibling_wide = true;
	c = core_new(&m, 0);
	assert_true(is_near(slow_share(&c, &load, 1 * s, 1020), 0.11, 0.04));
	m.sibling_wide = false;
	c = core_new(&m, 0);
	assert_true(slow_share(&c, &load, 0.1 * s, 1020) == 0);
}

TEST(wrong_probe)
{
	struct machine m = quiet_machine(DISTURB_PROBE);
	struct kernel probe = chain;
	struct core c;

	probe.probe = PROBE_SIBLING;
	m.wrong = (struct wrong_probe){ PROBE_SIBLING, 2, 0, WIDTH_256 };
	c = core_new(&m, 0);
	assert_true(is_near(run_ns(&c, &probe), 1010, 1));
	c.measured = WIDTH_256;
	assert_true(is_near(run_ns(&c, &probe), 2010, 1));
	assert_true(is_near(run_ns(&c, &chain), 1010, 1));
	m.wrong.width = WIDTH_NONE;
	m.wrong.from_ns = 1 * ms;
	assert_true(is_near(run_ns(&c, &probe), 1010, 1));
	core_idle(&c, 1 * ms);
	assert_true(is_near(run_ns(&c, &probe), 2010, 1));
}

TEST(licences)
{
	struct machine m = quiet_machine(DISTURB_LICENCE);
	struct kernel wide = kernel_of(WIDTH_256, 2);
	struct kernel widest = kernel_of(WIDTH_512, 2);
	struct core c;

	m.licence_slow[1] = 0.10;
	m.licence_slow[2] = 0.20;
	m.licence_ns = 100 * us;
	m.licence_stall_ns = 10 * us;
	c = core_new(&m, 0);
	assert_true(is_near(run_ns(&c, &chain), 1010, 1));
	(void)run_ns(&c, &wide);
	assert_true(c.now > 10 * us);
	assert_true(is_near(run_ns(&c, &chain), 1010 / 0.9, 1));
	(void)run_ns(&c, &widest);
	assert_true(is_near(run_ns(&c, &wide), 1010 / 0.8, 1));
	core_idle(&c, 95 * us);
	/* Down by a level, and by another: a stall each. */
	assert_true(run_cycles(&c, &wide, 40 * CYCLES) > 50 * us);
	assert_true(is_near(run_ns(&c, &wide), 1010 / 0.9, 1));
	core_idle(&c, 1 * ms);
	(void)run_ns(&c, &chain);
	assert_true(is_near(run_ns(&c, &chain), 1010, 1));
}

/* Loops of many instructions a cycle run at k/16 of their speed; others, chains
 * and probes do not. */
TEST(throttling)
{
	struct machine m = quiet_machine(DISTURB_THROTTLE);
	struct kernel k = kernel_of(WIDTH_GENERAL, 1), few = k, probe = k;
	struct core c;

	m.throttle_ns = m.throttle_gap_ns = 1 * ms;
	k.cycles = probe.cycles = 0.25;
	k.probe = few.probe = N_PROBES;
	probe.probe = PROBE_SIBLING;
	c = core_new(&m, 0);
	assert_true(is_near(slow_share(&c, &k, 1 * s, 1040), 0.5, 0.1));
	assert_true(slow_share(&c, &k, 0.1 * s, 2020) == 0);
	assert_true(slow_share(&c, &few, 0.1 * s, 1015) == 0);
	assert_true(slow_share(&c, &probe, 0.1 * s, 1015) == 0);
	assert_true(slow_share(&c, &chain, 0.1 * s, 1015) == 0);
}

/* A kernel is always slow in some places, and never in others. */
TEST(places)
{
	struct machine m = quiet_machine(DISTURB_PLACE);
	struct kernel k = kernel_of(WIDTH_GENERAL, 1);
	struct core c = core_new(&m, 0);
	int slow = 0;

	m.place_share = 0.3;
	m.place_slow = 1.5;
	k.number = KERNEL_FIRST;
	for (c.place = 0; c.place < 300; c.place++) {
		double one = run_ns(&c, &k);

		assert_true(is_near(run_ns(&c, &k), one, 1));
		slow += one > 1250;
	}
	assert_in_range(slow, 60, 120);
}
