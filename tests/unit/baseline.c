/* When the runtime waits for a sibling thread to rest, and when it gives up. */
#include "target/core/baseline.h"
#include "tests/unit/unit.h"

enum { CHAIN = 6656, QUIET = 1040, SHARED = 1600, STEP = 26 };

/* So many rows of a core that is quiet, with a reading's error. */
static void rest(struct baseline *p, int n)
{
	for (int i = 0; i < n; i++)
		baseline_learn(p, QUIET + (uint64_t)(i % 3) * STEP, CHAIN);
}

/* Begin while the sibling is busy for half of the rows, and a stall. */
static struct baseline begun(void)
{
	enum { N = 64 };
	uint64_t probes[N], chains[N];
	struct baseline p;

	for (size_t i = 0; i < N; i++) {
		probes[i] = i % 2 ? SHARED : QUIET + (i / 2) % 3 * STEP;
		chains[i] = i == 4 ? CHAIN * 9 : CHAIN;
	}
	baseline_begin(&p, probes, chains, N);
	return p;
}

TEST(a_sibling_is_seen)
{
	struct baseline p = begun();

	assert_false(baseline_is_slow(&p, QUIET + 2 * STEP, CHAIN));
	assert_true(baseline_is_slow(&p, SHARED, CHAIN));
	/* Another frequency is no sibling. */
	assert_false(baseline_is_slow(&p, SHARED, CHAIN * SHARED / QUIET));
}

TEST(a_start_with_a_busy_sibling_is_forgotten)
{
	static const uint64_t probe[] = { SHARED }, chain[] = { CHAIN };
	struct baseline p;

	baseline_begin(&p, probe, chain, 1);
	assert_false(baseline_is_slow(&p, SHARED, CHAIN));
	rest(&p, 100000);
	assert_true(baseline_is_slow(&p, SHARED, CHAIN));
}

/* A process that starts while the sibling is busy must not take that for the
 * baseline. */
TEST(silence_is_known_when_it_comes)
{
	static const uint64_t probe[] = { SHARED }, chain[] = { CHAIN };
	struct baseline p;

	baseline_begin(&p, probe, chain, 1);
	for (int i = 0; i < 1000; i++) {
		baseline_learn(&p, SHARED - (uint64_t)(i % 3) * STEP, CHAIN);
		assert_false(baseline_is_slow(&p, SHARED, CHAIN));
	}
	rest(&p, 40);
	assert_true(baseline_is_slow(&p, SHARED, CHAIN));
	assert_false(baseline_is_slow(&p, QUIET + 2 * STEP, CHAIN));
}

TEST(a_storm_of_stalls_is_no_silence)
{
	struct baseline p = begun();

	for (int i = 0; i < 10000; i++)
		baseline_learn(&p, QUIET, i % 5 ? CHAIN : CHAIN * 2);
	assert_false(baseline_is_slow(&p, QUIET + 2 * STEP, CHAIN));
}

TEST(silence_is_told)
{
	static const uint64_t probe[] = { SHARED }, chain[] = { CHAIN };
	struct baseline p;

	baseline_begin(&p, probe, chain, 1);
	baseline_expect(&p, 0, CHAIN);
	baseline_expect(&p, QUIET, 0);
	baseline_expect(&p, UINT64_MAX, 1);
	assert_false(baseline_is_slow(&p, SHARED, CHAIN));
	baseline_expect(&p, QUIET * 1000, CHAIN * 1000);
	assert_true(baseline_is_slow(&p, SHARED, CHAIN));
	baseline_expect(&p, SHARED, CHAIN);
	assert_true(baseline_is_slow(&p, SHARED, CHAIN));
}

/* Chains that a stall hit make the probe look fast. */
TEST(odd_rows_teach_little)
{
	struct baseline p = begun();

	rest(&p, 1000);
	for (int i = 0; i < 1000; i++) {
		baseline_learn(&p, QUIET, CHAIN * 10);
		rest(&p, 50);
		assert_false(baseline_is_slow(&p, QUIET + 2 * STEP, CHAIN));
	}
	assert_true(baseline_is_slow(&p, SHARED, CHAIN));
	baseline_learn(&p, UINT64_MAX, 1);
	baseline_learn(&p, 1, 0);
	assert_true(baseline_is_slow(&p, SHARED, CHAIN));
}

/* An episode of a second is none to forget silence in; a minute is. */
TEST(a_sibling_that_never_rests_is_silence)
{
	struct baseline p = begun();

	rest(&p, 100000);
	for (int i = 0; i < 40000; i++)
		baseline_learn(&p, SHARED, CHAIN);
	assert_true(baseline_is_slow(&p, SHARED, CHAIN));
	for (int i = 0; i < 2000000; i++)
		baseline_learn(&p, SHARED, CHAIN);
	assert_false(baseline_is_slow(&p, SHARED, CHAIN));
}

TEST(waiting_is_earned)
{
	struct wait_credit p = { .credit = 0 };

	assert_false(wait_credit_spend(&p, 1));
	wait_credit_earn(&p, 4001, 5000);
	assert_true(wait_credit_spend(&p, 999));
	assert_false(wait_credit_spend(&p, 999));
	p.least = 0;
	wait_credit_earn(&p, 4000 + 2 * 999, 5000);
	assert_int_equal(p.credit, 1000);
	for (int row = 0; row < 5; row++)
		wait_credit_earn(&p, 4000, 5000);
	assert_int_equal(p.credit, 5000);
	wait_credit_earn(&p, 4000, 0);
	assert_int_equal(p.credit, 5000);
}

/* A row of 4000 ticks allows 1000 of waiting; ticks that were waited do not
 * count. */
TEST(waiting_earns_no_waiting)
{
	struct wait_credit p = { .credit = 0 };

	for (int row = 0; row < 100; row++) {
		uint64_t waited = 0;

		do
			waited += 10;
		while (wait_credit_spend(&p, 10));
		assert_true(waited <= 1010);
		wait_credit_earn(&p, 4000 + waited, 1000 * 1000);
	}
}

/* A row during which another program had the processor earns no more than the
 * others. */
TEST(a_stop_earns_no_waiting)
{
	struct wait_credit p = { .credit = 0 };

	wait_credit_earn(&p, 4000, 1000 * 1000);
	wait_credit_earn(&p, 4000 * 1000, 1000 * 1000);
	assert_int_equal(p.credit, 2000);
}

/* The longer a probe stays slow, the more rarely the runtime waits for it. */
TEST(what_never_ends_is_not_waited_for)
{
	struct baseline p = begun();
	int waits = 0;

	for (int row = 0; row < 1000; row++) {
		if (!baseline_is_worth_waiting(&p))
			continue;
		waits++;
		baseline_waited(&p, true);
	}
	assert_in_range(waits, 5, 12);
	/* A fast row ends this, */
	baseline_learn(&p, QUIET, CHAIN);
	assert_true(baseline_is_worth_waiting(&p));
	baseline_waited(&p, true);
	assert_false(baseline_is_worth_waiting(&p));
	/* and so does a wait after which the probe is fast. */
	assert_true(baseline_is_worth_waiting(&p));
	baseline_waited(&p, false);
	assert_true(baseline_is_worth_waiting(&p));
}
