/* Detection of disturbed rows by retired instructions. */
#include "host/solve/silence.h"
#include "host/solve/estimate.h"
#include "tests/unit/unit.h"

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

TEST(the_kernel_alone_is_silence)
{
	struct fixture f;

	quiet(&f);
	assert_int_equal(hear(&f).n_counted, ROWS);
	assert_int_equal(hear(&f).n_interfered, 0);
	assert_int_equal(hear(&f).spread_cycles, 0);
	assert_true(solve(&f).low == 5);
}

/* One of three rows has an outlier; neither value nor spread depends on it. */
TEST(a_trap_costs_its_row)
{
	for (size_t i = 0; i < ROW; i++) {
		struct fixture f;

		quiet(&f);
		f.retired[ROW + i] += 200;
		f.ticks[ROW + i] += 900;
		assert_int_equal(hear(&f).n_interfered, 1);
		assert_int_equal(hear(&f).spread_cycles, 0);
		assert_true(solve(&f).low == 5);
		assert_true(solve(&f).high == 5);
		assert_int_equal(solve(&f).state, VERDICT_OK);
	}
}

/* The same disturbance at each length still gives a straight line; the other
 * rows reveal it. */
TEST(a_steady_visitor_is_seen)
{
	struct fixture f;

	quiet(&f);
	for (size_t i = 0; i < ROW; i++)
		f.retired[i] += 50;
	assert_int_equal(hear(&f).n_interfered, 1);
}

TEST(always_in_company_is_no_value)
{
	struct fixture f;

	quiet(&f);
	f.kernel.instructions = BODY + 1;
	assert_int_equal(hear(&f).n_interfered, ROWS);
	assert_int_equal(solve(&f).state, VERDICT_INTERFERENCE);
	assert_false(solve(&f).has_value);
}

TEST(of_an_unknown_kernel_rows_must_agree)
{
	struct fixture f;

	quiet(&f);
	f.kernel.instructions = 0;
	assert_int_equal(hear(&f).n_interfered, 0);
	f.retired[2 * ROW + 1]++;
	assert_int_equal(hear(&f).n_interfered, 1);
}

TEST(without_a_counter_nothing_is_said)
{
	struct fixture f;

	quiet(&f);
	f.sample.retired = NULL;
	f.ticks[ROW] += 4;
	assert_int_equal(hear(&f).n_rows, ROWS);
	assert_int_equal(hear(&f).n_counted, 0);
	assert_int_equal(hear(&f).spread_cycles, 4);
}

TEST(counts_that_cannot_be_are_company)
{
	static const uint64_t bad[] = { 0, UINT64_MAX, UINT64_MAX / 2 };
	struct fixture f;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		quiet(&f);
		for (size_t row = 0; row < ROWS; row++)
			f.retired[row * ROW + 1] = bad[i];
		f.sample.n_iterations = UINT64_MAX;
		assert_int_equal(hear(&f).n_interfered, ROWS);
	}
}

TEST(kernels_are_counted_by_spread)
{
	static const uint64_t spreads[] = { 0, 1, 2, 3, 10, 11, UINT64_MAX };
	struct silence_summary sum = { .all = { .n_rows = 0 } };

	for (size_t i = 0; i < ARRAY_LEN(spreads); i++) {
		struct silence s = { .n_rows = 1, .spread_cycles = spreads[i] };

		silence_summarise(&sum, &s);
	}
	assert_int_equal(sum.kernels[0], 1);
	assert_int_equal(sum.kernels[1], 2);
	assert_int_equal(sum.kernels[2], 2);
	assert_int_equal(sum.kernels[3], 2);
}
