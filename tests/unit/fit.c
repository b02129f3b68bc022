/* From ticks to cycles: the line, the agreement of repeats and visits, and
 * sandwiches from a machine with known noise. */
#include <math.h>

#include "host/solve/estimate.h"
#include "host/solve/fit.h"
#include "noise.h"
#include "tests/unit/unit.h"

static const struct shape shape = { .unroll = { 8, 16, 24 },
				    .ops_per_body = 1 };

TEST(line_is_exact)
{
	static const double ticks[] = { 131, 259, 387 };
	struct fit f = fit_line(ticks, shape.unroll);

	assert_true(f.rise / (f.run * 16) == 1);
	assert_true(f.residual == 0 && f.range == 256);
}

TEST(line_over_uneven_lengths)
{
	static const uint32_t unroll[] = { 3, 9, 12 };
	static const double ticks[] = { 9007199254740000, 9007199254740042,
					9007199254740063 };
	struct fit f = fit_line(ticks, unroll);

	assert_true(f.rise / f.run == 7);
	assert_true(f.residual == 0);
}

TEST(residual_is_share_of_range)
{
	static const double ticks[] = { 100, 210, 300 };
	struct fit f = fit_line(ticks, shape.unroll);

	assert_true(fabs(f.residual - 0.05) < 1e-12);
	assert_true(f.rise / f.run == 12.5);
}

TEST(lengths_must_ascend)
{
	static const uint32_t flat[] = { 8, 8, 24 };
	static const uint32_t zero[] = { 0, 8, 24 };

	assert_true(fit_possible(shape.unroll));
	assert_false(fit_possible(flat));
	assert_false(fit_possible(zero));
}

static struct estimate core(const struct shape *k, const uint64_t *rows,
			    uint32_t n_rows)
{
	struct sample m = {
		.n_iterations = 10, .n_rows = n_rows, .row = 3, .values = rows
	};

	return estimate_core(k, &m, 1, COMBINE_MEDIAN);
}

TEST(equal_repeats_are_exact)
{
	static const uint64_t rows[] = { 110, 190, 270, 110, 190, 270 };
	struct estimate e = core(&shape, rows, 2);

	assert_int_equal(e.state, VERDICT_OK);
	assert_true(e.low == 1 && e.high == 1 && e.residual == 0);
}

TEST(ops_per_body_divide)
{
	static const uint64_t rows[] = { 110, 190, 270, 110, 190, 270 };
	struct shape three = shape;

	three.ops_per_body = 3;
	assert_true(core(&three, rows, 2).low == 1.0 / 3);
}

TEST(cold_first_repeat_is_left_out)
{
	static const uint64_t rows[] = { 900, 195, 280, 110, 190,
					 270, 110, 190, 270 };
	struct estimate e = core(&shape, rows, 3);

	assert_int_equal(e.state, VERDICT_OK);
	assert_true(e.low == 1 && e.high == 1 && e.residual == 0);
}

/* The cost of the loop is hidden in the shortest length: the slope between the
 * others is the truth, and within the bounds. */
TEST(a_slight_bend_widens_the_bounds)
{
	static const uint64_t rows[] = { 1000, 1780, 2580, 1000, 1780, 2580 };
	struct estimate e = core(&shape, rows, 2);

	/* More than a percent. */
	assert_int_equal(e.state, VERDICT_NOISY);
	assert_true(e.close && e.has_value);
	assert_true(e.low == 9.875 && e.high == 9.875);
	assert_true(e.low * (1 - e.uncertainty) <= 9.75);
	assert_true(e.high * (1 + e.uncertainty) >= 10);
	assert_true(e.uncertainty < 0.02);
}

/* Ticks of a core whose front end and exit branch cost each length a few cycles
 * more or less than the line, the same in every repeat. */
static struct estimate with_ends(double cycles, uint32_t n, const int ends[3])
{
	uint64_t rows[2 * PACK_LENGTHS];
	struct sample m = {
		.n_iterations = n, .n_rows = 2, .row = 3, .values = rows
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		rows[i] =
			(uint64_t)(1000 + ends[i % PACK_LENGTHS] +
				   cycles * n * shape.unroll[i % PACK_LENGTHS]);
	return estimate_core(&shape, &m, 1, COMBINE_MEDIAN);
}

static bool holds(const struct estimate *e, double truth)
{
	static const double digits = 1e-9;

	return e->has_value &&
	       e->low * (1 - e->uncertainty) <= truth * (1 + digits) &&
	       e->high * (1 + e->uncertainty) >= truth * (1 - digits);
}

/* The largest cost of the ends of runs, at any length of the line: the truth is
 * in the interval, and ok values are correct to a percent. */
TEST(ends_of_runs_never_hide_the_truth)
{
	static const double truths[] = { 0.25, 0.5, 1, 2, 3, 5, 18, 34, 34.5 };
	static const uint32_t iterations[] = { 2, 4, 12, 24, 60, 120, 600 };
	size_t n_ok = 0, n_cases = 0;

	for (size_t i = 0; i < ARRAY_LEN(truths) * ARRAY_LEN(iterations); i++) {
		double truth = truths[i % ARRAY_LEN(truths)];
		uint32_t n = iterations[i / ARRAY_LEN(truths)];

		for (int end = 0; end < 9 * 5 * 5; end++) {
			const int ends[] = { end % 9 - 4, end / 9 % 5 - 2,
					     end / 9 / 5 - 2 };
			struct estimate e = with_ends(truth, n, ends);
			bool long_enough = truth * n * 16 >= 1200;

			if (!e.has_value && !long_enough)
				continue;
			n_cases++;
			if (!holds(&e, truth))
				fail_msg("%g: %g..%g, %u iterations", truth,
					 e.low * (1 - e.uncertainty),
					 e.high * (1 + e.uncertainty), n);
			if (long_enough)
				assert_int_equal(e.state, VERDICT_OK);
			if (e.state != VERDICT_OK)
				continue;
			n_ok++;
			assert_true(fabs(e.low / truth - 1) < 0.01);
		}
	}
	assert_true(n_ok > 1000 && n_ok < n_cases);
}

/* 2,000 cycles a kernel: one addition a cycle was measured as 0.896 to
 * 0.938. */
TEST(short_lines_are_not_known)
{
	static const int ends[] = { 4, 0, 0 };
	struct estimate e = with_ends(1, 4, ends);

	assert_int_equal(e.state, VERDICT_NOISY);
	assert_true(e.close && holds(&e, 1));
}

TEST(a_long_line_is_exact_in_spite_of_its_ends)
{
	static const int none[] = { 0, 0, 0 };
	struct estimate e = with_ends(34, 6, none);

	assert_int_equal(e.state, VERDICT_OK);
	assert_true(e.low == 34 && e.uncertainty == 0);
}

TEST(bent_repeats_have_no_value)
{
	static const uint64_t rows[] = { 110, 230, 270, 110, 230, 270 };
	struct estimate e = core(&shape, rows, 2);

	assert_int_equal(e.state, VERDICT_NOT_LINEAR);
	assert_false(e.has_value);
	assert_true(e.residual == 0.25);
}

TEST(two_states_on_core_clock)
{
	static const uint64_t rows[] = { 110, 190, 270, 110, 190, 270,
					 110, 270, 430, 110, 270, 430 };
	struct estimate e = core(&shape, rows, 4);

	assert_int_equal(e.state, VERDICT_TWO_STATES);
	assert_true(e.low == 1 && e.high == 2);
}

TEST(repeats_without_agreement)
{
	static const uint64_t rows[] = { 110, 190, 270, 110, 270, 430 };
	struct estimate e = core(&shape, rows, 2);

	assert_int_equal(e.state, VERDICT_UNSTABLE);
	assert_true(e.low == 1 && e.high == 2);
}

TEST(one_repeat_proves_nothing)
{
	static const uint64_t rows[] = { 110, 190, 270 };
	struct estimate e = core(&shape, rows, 1);

	assert_int_equal(e.state, VERDICT_NOISY);
	assert_true(e.has_value && e.low == 1);
}

TEST(flat_and_falling_ticks_are_implausible)
{
	static const uint64_t flat[] = { 110, 110, 110, 110, 110, 110 };
	static const uint64_t falling[] = { 110, 100, 90, 110, 100, 90 };

	assert_int_equal(core(&shape, flat, 2).state, VERDICT_IMPLAUSIBLE);
	assert_int_equal(core(&shape, falling, 2).state, VERDICT_IMPLAUSIBLE);
	assert_false(core(&shape, flat, 2).has_value);
}

TEST(hump_is_implausible)
{
	static const uint64_t rows[] = { 10, 900, 10, 10, 900, 10 };
	struct shape uneven = { .unroll = { 8, 20, 24 }, .ops_per_body = 1 };

	assert_int_equal(core(&uneven, rows, 2).state, VERDICT_IMPLAUSIBLE);
}

TEST(absurd_samples)
{
	static const uint64_t huge[] = { 1, UINT64_MAX / 2, UINT64_MAX };
	struct shape bad = { .unroll = { 8, 8, 8 }, .ops_per_body = 1 };
	struct sample m = { .row = 8 };

	assert_int_equal(core(&shape, huge, 1).state, VERDICT_BAD_DATA);
	assert_int_equal(core(&bad, huge, 1).state, VERDICT_BAD_DATA);
	assert_int_equal(core(&shape, huge, 0).state, VERDICT_BAD_DATA);
	assert_int_equal(estimate_core(&shape, &m, 1, COMBINE_LOWEST).state,
			 VERDICT_BAD_DATA);
	assert_int_equal(estimate_core(&shape, NULL, 0, COMBINE_LOWEST).state,
			 VERDICT_MISSING);
}

/* One kernel on a quiet machine. */
static struct estimate quiet(double cycles, double second)
{
	struct machine q = machine_new(7);
	struct kernel k = { .cycles = cycles, .second = second };
	uint64_t values[3][MACHINE_ROWS * 8];
	struct sample m[3];

	machine_silence(&q);
	for (uint32_t i = 0; i < 3; i++)
		m[i] = machine_visit(&q, &k, i, values[i]);
	return estimate_ref(&machine_shape, &machine_calibration, m, 3,
			    COMBINE_MEDIAN);
}

TEST(quiet_sandwich)
{
	struct estimate e = quiet(4, 4);

	assert_int_equal(e.state, VERDICT_OK);
	assert_true(fabs(e.low - 4) < 0.008 && e.visits == 3);
	assert_true(e.residual < 0.002);
}

TEST(two_states_within_visits)
{
	struct estimate e = quiet(0.25, 0.271);

	assert_int_equal(e.state, VERDICT_TWO_STATES);
	assert_true(fabs(e.low - 0.25) < 0.002);
	assert_true(fabs(e.high - 0.271) < 0.002);
}

TEST(sandwich_without_calibration)
{
	struct machine q = machine_new(7);
	struct kernel k = { .cycles = 1, .second = 1 };
	struct calibration none = machine_calibration;
	uint64_t values[MACHINE_ROWS * 8];
	struct sample m = machine_visit(&q, &k, 0, values);

	none.usable = false;
	assert_int_equal(
		estimate_ref(&machine_shape, &none, &m, 1, COMBINE_MEDIAN)
			.state,
		VERDICT_NO_CALIBRATION);
}

/* If a sibling starts between the probe and the kernel, the probe of the next
 * row detects it. */
TEST(sibling_that_comes_behind_the_probe)
{
	struct machine q = machine_new(7);
	struct kernel k = { .cycles = 0.25, .second = 0.25 };
	struct calibration c;
	uint64_t values[3][MACHINE_ROWS * 8];
	struct sample m[3];
	struct estimate e;

	machine_silence(&q);
	for (uint32_t i = 0; i < 3; i++)
		m[i] = machine_visit(&q, &k, i, values[i]);
	c = machine_calibrate(m, 3);
	for (uint32_t i = 0; i < 3; i++)
		for (size_t row = 0; row + 1 < MACHINE_ROWS; row += 2) {
			for (size_t at = 3; at < 6; at++)
				values[i][row * 8 + at] +=
					values[i][row * 8 + at] / 3;
			values[i][(row + 1) * 8 + 2] *= 2;
		}
	e = estimate_ref(&machine_shape, &c, m, 3, COMBINE_LOWEST);
	assert_int_equal(e.state, VERDICT_NOISY);
	assert_false(e.has_value);
}

/* Each start of the runtime finds its own number of iterations of the probe,
 * fewer while the sibling is busy; the cost of a reading is then a different
 * share. */
TEST(probes_of_several_lengths)
{
	static const uint64_t n_probe[] = { 3, 6, 14 };
	struct machine q = machine_new(7);
	struct kernel k = { .cycles = 0.25, .second = 0.25 };
	uint64_t values[3][MACHINE_ROWS * 8];
	struct calibration c;
	struct sample m[3];

	machine_silence(&q);
	for (uint32_t i = 0; i < 3; i++) {
		q.n_probe = n_probe[i];
		m[i] = machine_visit(&q, &k, i, values[i]);
	}
	c = machine_calibrate(m, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(visit_read(&machine_shape, &c, &m[i])
					 .n_marked[MARK_SIBLING],
				 0);
	assert_int_equal(
		estimate_ref(&machine_shape, &c, m, 3, COMBINE_LOWEST).state,
		VERDICT_OK);
	/* A slow probe is detected at any length. */
	for (uint32_t i = 0; i < 3; i++) {
		for (size_t row = 0; row < MACHINE_ROWS; row++)
			values[i][row * 8 + 2] += values[i][row * 8 + 2] / 4;
		assert_int_equal(visit_read(&machine_shape, &c, &m[i])
					 .n_marked[MARK_SIBLING],
				 MACHINE_ROWS);
	}
}

/* METHOD promises +-0.5 %; here for 1500 kernels in three passes on the
 * noisy machine, three seeds.  Counted are results, not tries: what cannot
 * be told is no error, but must stay rare. */
TEST(noisy_machine)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct score s = machine_score(seed);

		if (s.n_good * 100 < s.n * 99 || s.n_wrong * 1000 > s.n)
			print_error("seed %d: %zu of %zu good, %zu wrong\n",
				    (int)seed, s.n_good, s.n, s.n_wrong);
		assert_true(s.n == 1500);
		assert_true(s.n_good * 100 >= s.n * 99);
		assert_true(s.n_wrong * 1000 <= s.n);
	}
}
