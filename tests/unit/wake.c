/* Wide units that sleep: what runs before a row, and for how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "target/core/clock.h"
#include "target/core/wake.h"

enum {
	FAST = 640,         /* ticks of a run, the unit awake */
	SLOW = 4 * FAST,    /* ... asleep */
	TICK_NS = 1,        /* of the clock */
	DOZE = 700 * 1000,  /* ticks without a run until it sleeps */
	STAYS = 900 * 1000, /* ticks of running until it is awake */
	WIDE = PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE,
};

/* A core with one wide unit, and what ran on it. */
static struct {
	uint64_t now, last, awake_at;
	uint64_t fast, slow;
	uint32_t loaded, faulting;
	bool never_wakes;
	unsigned n_runs, n_loads;
} core;

uint64_t arch_ref_now(void)
{
	return core.now;
}

uint64_t clock_ticks(uint64_t ns)
{
	return ns / TICK_NS;
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
	(void)s;
	(void)length;
	core.n_runs++;
	if (core.loaded == core.faulting)
		return false;
	if (core.now - core.last > DOZE)
		core.awake_at = core.now + STAYS;
	*ret_ticks = core.now < core.awake_at || core.never_wakes ? core.slow
								  : core.fast;
	core.now += *ret_ticks;
	core.last = core.now;
	return true;
}

static const struct pack_header both = { .wake = { 4, 9 } };
static const struct pack_kernel wide = { .flags = WIDE };
static const struct pack_kernel widest = {
	.flags = WIDE | PACK_KERNEL_WIDEST,
};
static const struct pack_kernel narrow = { .flags = PACK_KERNEL_VECTOR };

/* Of a core that has slept until now. */
static void open_on(const struct pack_header *h, uint32_t faulting)
{
	core.now = 10 * DOZE;
	core.last = core.awake_at = 0;
	core.fast = FAST;
	core.slow = SLOW;
	core.faulting = faulting;
	core.never_wakes = false;
	core.n_runs = core.n_loads = 0;
	wake_open(h);
}

static unsigned runs_of(const struct pack_kernel *k)
{
	unsigned before = core.n_runs;

	wake(k);
	return core.n_runs - before;
}

static void awake_is_one_run(void **state)
{
	(void)state;
	open_on(&both, 0);
	assert_int_equal(core.n_loads, 2);
	(void)runs_of(&wide); /* after what was widest */
	assert_int_equal(runs_of(&wide), 1);
	core.now += DOZE / 2;
	assert_int_equal(runs_of(&wide), 1);
}

static void asleep_runs_until_it_is_awake(void **state)
{
	(void)state;
	open_on(&both, 0);
	(void)runs_of(&wide);
	core.now += 2 * DOZE;
	assert_true(runs_of(&wide) > STAYS / SLOW);
	assert_true(core.now >= core.awake_at);
	assert_int_equal(runs_of(&wide), 1);
}

static void narrow_kernels_need_nothing(void **state)
{
	(void)state;
	open_on(&both, 0);
	core.now += 2 * DOZE;
	assert_int_equal(runs_of(&narrow), 0);
}

/* A sibling and a frequency that changes are not sleep. */
static void slower_is_not_asleep(void **state)
{
	(void)state;
	open_on(&both, 0);
	(void)runs_of(&wide);
	core.fast = FAST * 5 / 2;
	assert_int_equal(runs_of(&wide), 1);
}

/* One reading far too fast, and nothing would seem awake again. */
static void what_cannot_be_reached_is_forgotten(void **state)
{
	uint64_t before;

	(void)state;
	open_on(&both, 0);
	(void)runs_of(&wide);
	core.fast = FAST / 10;
	assert_int_equal(runs_of(&wide), 1);
	core.fast = FAST;
	before = core.now;
	assert_true(runs_of(&wide) > 1);
	assert_true(core.now - before < 4 * 1000 * 1000);
	assert_int_equal(runs_of(&wide), 1);
	/* Nor is one that never wakes waited for again and again. */
	core.never_wakes = true;
	assert_true(runs_of(&wide) > 1);
	assert_int_equal(runs_of(&wide), 1);
}

static void the_second_stands_in(void **state)
{
	static const struct pack_header second = { .wake = { 0, 9 } };
	static const struct pack_header none = { .n_kernels = 9 };

	(void)state;
	open_on(&both, 3);
	assert_int_equal(core.loaded, 8);
	assert_int_equal(runs_of(&wide), 1);
	assert_int_equal(runs_of(&widest), 1);
	open_on(&second, 0);
	assert_int_equal(core.loaded, 8);
	assert_int_equal(core.n_loads, 1);
	/* None that runs: nothing is woken, and nothing faults again. */
	open_on(&second, 8);
	assert_int_equal(runs_of(&wide), 0);
	open_on(&none, 0);
	assert_int_equal(core.n_loads, 0);
	assert_int_equal(runs_of(&wide), 0);
}

/* What is wide waits until what was widest has left the core, awake. */
static void wide_comes_a_millisecond_after_the_widest(void **state)
{
	uint64_t from;

	(void)state;
	open_on(&both, 0);
	from = core.now;
	(void)runs_of(&wide);
	assert_true(core.now - from >= 1000 * 1000);
	assert_int_equal(runs_of(&wide), 1);
	assert_int_equal(runs_of(&widest), 1);
	assert_int_equal(runs_of(&widest), 1);
	from = core.now;
	(void)runs_of(&wide);
	assert_true(core.now - from >= 1000 * 1000 - FAST);
	assert_true(core.now < core.last + DOZE);
	/* What has passed by itself is not waited for. */
	(void)runs_of(&widest);
	core.now += 1000 * 1000;
	core.awake_at = 0;
	core.last = core.now;
	assert_int_equal(runs_of(&wide), 1);
}

/* Of 32 bytes, for kernels that are no wider. */
static void loads_are_for_kernels_of_32_bytes(void **state)
{
	static const struct pack_header loads = { .wake = { 4, 9 },
						  .loads = 7 };

	(void)state;
	open_on(&loads, 0);
	assert_int_equal(core.n_loads, 3);
	(void)runs_of(&wide);
	assert_int_equal(wake_loads(&wide), FAST);
	core.fast = FAST * 6 / 5;
	assert_int_equal(wake_loads(&wide), FAST * 6 / 5);
	assert_int_equal(wake_loads(&widest), 0);
	assert_int_equal(wake_loads(&narrow), 0);
	core.faulting = core.loaded;
	assert_int_equal(wake_loads(&wide), 0);
	open_on(&both, 0);
	assert_int_equal(wake_loads(&wide), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_are_for_kernels_of_32_bytes),
		cmocka_unit_test(awake_is_one_run),
		cmocka_unit_test(asleep_runs_until_it_is_awake),
		cmocka_unit_test(narrow_kernels_need_nothing),
		cmocka_unit_test(slower_is_not_asleep),
		cmocka_unit_test(what_cannot_be_reached_is_forgotten),
		cmocka_unit_test(the_second_stands_in),
		cmocka_unit_test(wide_comes_a_millisecond_after_the_widest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
