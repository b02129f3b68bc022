/* When a simulation ends, for given ends of iterations and states of the
 * queues. */
#include <math.h>

#include "host/base/arena.h"
#include "host/predict/sim.h"
#include "tests/unit/unit.h"

struct run {
	struct arena a;
	struct body b;
	struct simulation out;
	struct sim m;
	int64_t now;
};

static void run_open(struct run *r, size_t n_ops)
{
	*r = (struct run){ 0 };
	r->b.n = n_ops;
	r->m.a = &r->a;
	r->m.b = &r->b;
	r->m.out = &r->out;
	r->m.ends =
		ARENA_ARRAY(&r->a, struct sim_end, sim_most_iterations(&r->m));
}

/* One more iteration of so many cycles. */
static bool run_add(struct run *r, int64_t cycles, uint64_t state)
{
	r->now += cycles;
	return sim_iteration(&r->m, r->now, state);
}

/* A period is found, exactly. */
TEST(period)
{
	static const uint32_t periods[] = { 1, 2, 7, 48, 64, 65, 90 };

	for (size_t k = 0; k < ARRAY_LEN(periods); k++) {
		uint32_t n = periods[k];
		struct run r;

		run_open(&r, 6);
		for (uint32_t i = 0; !run_add(&r, i % n == 0 ? 100 : 1, i % n);)
			i++;
		assert_true(r.out.steady);
		assert_int_equal(r.out.period, n);
		assert_true(fabs(r.out.cycles - (99.0 + n) / n) < 1e-9);
		assert_true(r.out.simulated < 5 * n + 100);
		arena_free(&r.a);
	}
}

/* A long loop repeats, too: its mean is known sooner than its period. */
TEST(long_loop)
{
	static const size_t sizes[] = { 17, 40, 300, 600 };

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		struct run r;

		run_open(&r, sizes[k]);
		while (!run_add(&r, 40, 1))
			;
		assert_true(r.out.steady);
		assert_int_equal(r.out.period, 1);
		arena_free(&r.a);
	}
}

/* So many iterations are simulated at least. */
TEST(least)
{
	struct run r;

	run_open(&r, 40);
	r.m.least = 300;
	while (!run_add(&r, 40, 1))
		;
	assert_true(r.out.simulated > 300);
	arena_free(&r.a);
}

/* Equal cycles are no period while a queue still fills: here they change when
 * it is full. */
TEST(queue_fills)
{
	enum { FULL = 70 };
	struct run r;
	uint32_t i = 0;

	run_open(&r, 6);
	while (!run_add(&r, i < FULL ? 1 : 3, i < FULL ? i : FULL))
		i++;
	assert_true(r.out.steady);
	assert_true(fabs(r.out.cycles - 3) < 1e-9);
	arena_free(&r.a);
}

/* 45 equal iterations, in cycles and queues, are no period of a short loop:
 * ports can still be out of balance. */
TEST(late_change)
{
	struct run r;
	uint32_t i = 0;

	run_open(&r, 4);
	while (!run_add(&r, i < 45 ? 2 : 3, 1))
		i++;
	assert_true(r.out.steady);
	assert_true(fabs(r.out.cycles - 3) < 1e-9);
	arena_free(&r.a);
}

/* Cycles repeat, and the states of the queues do not: the period of the
 * cycles. */
TEST(period_of_cycles)
{
	struct run r;
	uint32_t i = 0;

	run_open(&r, 6);
	while (!run_add(&r, i % 3 == 0 ? 4 : 2, i))
		i++;
	assert_true(r.out.steady);
	assert_int_equal(r.out.period, 3);
	assert_true(fabs(r.out.cycles - 8.0 / 3) < 1e-9);
	arena_free(&r.a);
}

/* A loop that never repeats: the mean of cycles that vary is found long before
 * the limit, and that of cycles that grow is not. */
TEST(mean)
{
	struct run r;
	uint64_t x = 1;

	run_open(&r, 6);
	do
		x = x * 6364136223846793005u + 1442695040888963407u;
	while (!run_add(&r, 10 + (int64_t)(x >> 63), x));
	assert_false(r.out.steady);
	assert_true(fabs(r.out.cycles / 10.5 - 1) < 0.01);
	assert_true(r.out.simulated * 6 < 10000);
	arena_free(&r.a);

	run_open(&r, 6);
	for (uint32_t i = 0; !run_add(&r, 10 + i / 64, i);)
		i++;
	assert_false(r.out.steady);
	assert_int_equal(r.out.simulated, sim_most_iterations(&r.m));
	arena_free(&r.a);
}
