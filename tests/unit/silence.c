/* Detection of disturbed rows by retired instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/solve/estimate.h"
#include "host/solve/silence.h"

enum { N = 10, OVERHEAD = 30, BODY = 2, ROWS = 3, ROW = PACK_LENGTHS };

/* Three quiet rows of a kernel of two instructions a body, five cycles. */
struct fixture {
	struct kernel_row kernel;
	uint64_t ticks[ROWS * ROW], retired[ROWS * ROW];
	struct sample sample;
};

static void quiet(struct fixture *f)
{
	*f = (struct fixture){
		.kernel = { .unroll = { 8, 16, 24 }, .instructions = BODY },
	};
	for (size_t i = 0; i < ROWS * ROW; i++) {
		uint64_t bodies = (uint64_t)N * f->kernel.unroll[i % ROW];

		f->retired[i] = OVERHEAD + BODY * bodies;
		f->ticks[i] = 40 + 5 * bodies;
	}
	f->sample = (struct sample){
		.n_iterations = N,
		.n_rows = ROWS,
		.row = ROW,
		.values = f->ticks,
		.retired = f->retired,
	};
}

static struct silence hear(const struct fixture *f)
{
	struct silence s = { .n_rows = 0 };

	silence_add(&s, &f->kernel, &f->sample, 1);
	return s;
}

static struct estimate solve(const struct fixture *f)
{
	struct shape shape = { .unroll = { 8, 16, 24 },
			       .ops_per_body = 1,
			       .instructions = f->kernel.instructions };

	return estimate_core(&shape, &f->sample, 1, COMBINE_MEDIAN);
}

static void the_kernel_alone_is_silence(void **state)
{
	struct fixture f;

	(void)state;
	quiet(&f);
	assert_int_equal(hear(&f).n_counted, ROWS);
	assert_int_equal(hear(&f).n_interfered, 0);
	assert_int_equal(hear(&f).spread_cycles, 0);
	assert_true(solve(&f).low == 5);
}

/* One of three rows has an outlier; neither value nor spread depends on it. */
static void a_trap_costs_its_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROW; i++) {
		struct fixture f;

		quiet(&f);
		f.retired[ROW + i] += 200;
		f.ticks[ROW + i] += 900;
		assert_int_equal(hear(&f).n_interfered, 1);
		assert_int_equal(hear(&f).spread_cycles, 0);
		assert_true(solve(&f).low == 5);
		assert_true(solve(&f).high == 5);
		assert_int_equal(solve(&f).state, ESTIMATE_OK);
	}
}

/* The same disturbance at each length still gives a straight line; the other
 * rows reveal it. */
static void a_steady_visitor_is_seen(void **state)
{
	struct fixture f;

	(void)state;
	quiet(&f);
	for (size_t i = 0; i < ROW; i++)
		f.retired[i] += 50;
	assert_int_equal(hear(&f).n_interfered, 1);
}

static void always_in_company_is_no_value(void **state)
{
	struct fixture f;

	(void)state;
	quiet(&f);
	f.kernel.instructions = BODY + 1;
	assert_int_equal(hear(&f).n_interfered, ROWS);
	assert_int_equal(solve(&f).state, ESTIMATE_INTERFERENCE);
	assert_false(solve(&f).has_value);
}

static void of_an_unknown_kernel_rows_must_agree(void **state)
{
	struct fixture f;

	(void)state;
	quiet(&f);
	f.kernel.instructions = 0;
	assert_int_equal(hear(&f).n_interfered, 0);
	f.retired[2 * ROW + 1]++;
	assert_int_equal(hear(&f).n_interfered, 1);
}

static void without_a_counter_nothing_is_said(void **state)
{
	struct fixture f;

	(void)state;
	quiet(&f);
	f.sample.retired = NULL;
	f.ticks[ROW] += 4;
	assert_int_equal(hear(&f).n_rows, ROWS);
	assert_int_equal(hear(&f).n_counted, 0);
	assert_int_equal(hear(&f).spread_cycles, 4);
}

static void counts_that_cannot_be_are_company(void **state)
{
	static const uint64_t bad[] = { 0, UINT64_MAX, UINT64_MAX / 2 };
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		quiet(&f);
		for (size_t row = 0; row < ROWS; row++)
			f.retired[row * ROW + 1] = bad[i];
		f.sample.n_iterations = UINT64_MAX;
		assert_int_equal(hear(&f).n_interfered, ROWS);
	}
}

static void kernels_are_counted_by_spread(void **state)
{
	static const uint64_t spreads[] = { 0, 1, 2, 3, 10, 11, UINT64_MAX };
	struct silence_summary sum = { .all = { .n_rows = 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(spreads); i++) {
		struct silence s = { .n_rows = 1, .spread_cycles = spreads[i] };

		silence_summarise(&sum, &s);
	}
	assert_int_equal(sum.kernels[0], 1);
	assert_int_equal(sum.kernels[1], 2);
	assert_int_equal(sum.kernels[2], 2);
	assert_int_equal(sum.kernels[3], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_alone_is_silence),
		cmocka_unit_test(a_trap_costs_its_row),
		cmocka_unit_test(a_steady_visitor_is_seen),
		cmocka_unit_test(always_in_company_is_no_value),
		cmocka_unit_test(of_an_unknown_kernel_rows_must_agree),
		cmocka_unit_test(without_a_counter_nothing_is_said),
		cmocka_unit_test(counts_that_cannot_be_are_company),
		cmocka_unit_test(kernels_are_counted_by_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
