/* Probes: which of them run before a kernel, and for how long. */
#include "target/core/probes.h"
#include "target/core/clock.h"
#include "tests/unit/unit.h"

enum {
	FAST = 640,         /* ticks of a run, the unit powered up */
	SLOW = 4 * FAST,    /* ... powered down */
	TICK_NS = 1,        /* of the clock */
	DOZE = 700 * 1000,  /* ticks without a run until it powers down */
	STAYS = 900 * 1000, /* ticks of running until it is powered up */
	MOST = 5 * 1000 * 1000,
	WIDE = PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE,
};

/* A core with one wide unit, and a log of its runs. */
static struct {
	uint64_t now, last, awake_at;
	uint64_t fast, slow;
	uint32_t loaded, faulting;
	bool never_wakes;
	unsigned n_runs, n_loads;
	uint64_t stop; /* ticks that long chains stop for */
	const struct slot *chain;
} core;

uint64_t arch_ref_now(void)
{
	return core.now;
}

uint64_t clock_ticks(uint64_t ns)
{
	return ns / TICK_NS;
}

uint64_t clock_step(void)
{
	return 1;
}

void slot_load(struct slot *s, uint32_t index)
{
	(void)s;
	core.loaded = index;
	core.n_loads++;
}

void slot_iterations(struct slot *s, uint64_t n)
{
	(void)s;
	assert_true(n > 0);
}

bool slot_run(struct slot *s, int length, uint64_t *ret_ticks)
{
	core.n_runs++;
	if (core.loaded == core.faulting)
		return false;
	if (core.now - core.last > DOZE)
		core.awake_at = core.now + STAYS;
	*ret_ticks = core.now < core.awake_at || core.never_wakes ? core.slow
								  : core.fast;
	if (s == core.chain && length == SLOT_LONG)
		*ret_ticks += core.stop;
	core.now += *ret_ticks;
	core.last = core.now;
	return true;
}

/* A kernel's header and its records. */
enum { N_KERNELS = 10 };
struct pack {
	struct pack_header h;
	struct pack_kernel kernels[N_KERNELS];
};

static const struct pack both = { .h = { .wake = { 4, 9 } } };
static const struct pack loads = { .h = { .wake = { 4, 9 }, .loads = 7 } };
static const struct pack_kernel wide = { .flags = WIDE };
static const struct pack_kernel widest = {
	.flags = WIDE | PACK_KERNEL_WIDEST,
};
static const struct pack_kernel narrow = { .flags = PACK_KERNEL_VECTOR };

/* On a core whose unit is powered down. */
static struct pack pack;

static void open_on(const struct pack *from, uint32_t faulting)
{
	pack = *from;
	pack.h.kernels_offset = offsetof(struct pack, kernels);
	for (int i = 0; i < N_KERNELS; i++)
		pack.kernels[i].unroll[PACK_LENGTHS - 1] = 144;
	/* Kernels of both widths to measure. */
	pack.h.n_kernels = N_KERNELS;
	pack.kernels[0].flags = WIDE;
	pack.kernels[1].flags = WIDE | PACK_KERNEL_WIDEST;
	core.now = 10 * (uint64_t)DOZE;
	core.last = core.awake_at = 0;
	core.fast = FAST;
	core.slow = SLOW;
	core.faulting = faulting;
	core.never_wakes = false;
	core.stop = 0;
	core.n_runs = core.n_loads = 0;
	(void)probes_open(&pack, NULL, NULL);
}

static unsigned runs_of(const struct pack_kernel *k)
{
	unsigned before = core.n_runs;

	probes_wake(k);
	return core.n_runs - before;
}

TEST(awake_is_one_run)
{
	open_on(&both, 0);
	assert_int_equal(core.n_loads, 2);
	assert_int_equal(runs_of(&wide), 1);
	core.now += DOZE / 2;
	assert_int_equal(runs_of(&wide), 1);
	assert_int_equal(runs_of(&widest), 1);
}

TEST(asleep_runs_until_it_is_awake)
{
	open_on(&both, 0);
	core.now += 2 * DOZE;
	assert_true(runs_of(&wide) > STAYS / SLOW);
	assert_true(core.now >= core.awake_at);
	assert_int_equal(runs_of(&wide), 1);
}

TEST(narrow_kernels_need_nothing)
{
	open_on(&both, 0);
	core.now += 2 * DOZE;
	assert_int_equal(runs_of(&narrow), 0);
}

/* A probe that stays slow: waits of three milliseconds, at growing intervals.
 */
TEST(what_never_wakes_costs_little)
{
	uint64_t before, waits = 0;

	open_on(&both, 0);
	core.never_wakes = true;
	for (int i = 0; i < 1000; i++) {
		before = core.now;
		waits += runs_of(&wide) > 1;
		assert_true(core.now - before < MOST);
	}
	assert_in_range(waits, 5, 12);
	core.never_wakes = false;
	assert_int_equal(runs_of(&wide), 1);
}

TEST(the_second_stands_in)
{
	static const struct pack second = { .h = { .wake = { 0, 9 } } };
	static const struct pack none = { .h = { .n_kernels = 9 } };

	open_on(&second, 0);
	assert_int_equal(core.loaded, 8);
	assert_int_equal(core.n_loads, 1);
	assert_int_equal(runs_of(&wide), 1);
	assert_int_equal(runs_of(&widest), 1);
	/* After its only probe faulted, it does not run again. */
	open_on(&second, 8);
	assert_int_equal(runs_of(&wide), 0);
	open_on(&none, 0);
	assert_int_equal(core.n_loads, 0);
	assert_int_equal(runs_of(&wide), 0);
}

/* The probe of 32-byte loads runs only for kernels of at most that width; its
 * ticks are returned unchanged. */
TEST(ticks_are_as_read)
{
	uint64_t ticks[N_PROBES] = { 0 };

	open_on(&loads, 0);
	assert_int_equal(core.n_loads, 3);
	core.fast = FAST * 6 / 5;
	probes_run_wide(&wide, ticks);
	assert_int_equal(ticks[PROBE_WIDE], FAST * 6 / 5);
	assert_int_equal(ticks[PROBE_LOADS], FAST * 6 / 5);
	probes_run_wide(&widest, ticks);
	assert_int_equal(ticks[PROBE_WIDE], FAST * 6 / 5);
	assert_int_equal(ticks[PROBE_LOADS], 0);
	probes_run_wide(&narrow, ticks);
	assert_int_equal(ticks[PROBE_WIDE], 0);
	core.faulting = core.loaded;
	probes_run_wide(&wide, ticks);
	assert_int_equal(ticks[PROBE_LOADS], 0);
}

static const struct pack_kernel chain_kernel = { .unroll = { 48, 96, 144 } };

/* With a reference clock, a probe's ticks are a share of a chain's. */
TEST(a_slow_probe_is_worth_a_wait)
{
	struct slot chain = { .kernel = &chain_kernel }, sibling;
	uint64_t ticks[N_PROBES] = { FAST, FAST, 0 };
	const unsigned slow = 1u << PROBE_WIDE;
	uint64_t before;

	open_on(&both, 0);
	assert_true(probes_open(&pack, &sibling, &chain));
	before = core.now;
	assert_int_equal(probes_slow(&wide, ticks, FAST), 0);
	ticks[PROBE_WIDE] = SLOW;
	assert_int_equal(probes_slow(&wide, ticks, FAST), slow);
	assert_int_equal(probes_slow(&narrow, ticks, FAST), 0);
	assert_true(probes_are_worth_waiting(&wide, slow));
	core.never_wakes = true;
	probes_wait(&wide, FAST, 10 * (uint64_t)SLOW);
	assert_in_range(core.now - before, 10 * SLOW, 14 * SLOW);
	probes_waited(&wide, slow, slow);
	assert_false(probes_are_worth_waiting(&wide, slow));
	core.never_wakes = false;
	ticks[PROBE_WIDE] = FAST;
	probes_learn(&wide, ticks, FAST);
	assert_true(probes_are_worth_waiting(&wide, slow));
	before = core.now;
	probes_wait(&wide, FAST, MOST);
	assert_true(core.now - before < MOST);
}

/* Wide code may leave a stop behind that each chain after it meets: the
 * baseline is that of a chain without it. */
TEST(a_stop_is_no_baseline)
{
	struct slot chain = { .kernel = &chain_kernel }, sibling;
	uint64_t ticks[N_PROBES] = { 0, 3 * FAST, 0 };

	open_on(&both, 0);
	core.chain = &chain;
	core.stop = 10 * FAST;
	assert_true(probes_open(&pack, &sibling, &chain));
	core.chain = NULL;
	/* As long as the short chain, scaled. */
	assert_int_equal(probes_slow(&wide, ticks, 9 * FAST), 0);
	assert_int_equal(probes_slow(&wide, ticks, 2 * FAST), 1u << PROBE_WIDE);
}
