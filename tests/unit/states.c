/* States of kernels, disturbances, and visits that scatter. */
#include "host/solve/evidence.h"
#include "tests/unit/unit.h"

enum { QUIET = 1, LOADS = 2, KERNELS = 200, VISITS = 8 };

static const double fast = 0.339, slow = 0.38;

static struct {
	struct evidence evidence;
	struct visit visits[2 * KERNELS][VISITS];
	struct kernel_visits list[2 * KERNELS];
} run;

static struct visit visit_at(double cycles)
{
	return (struct visit){ .state = VERDICT_OK,
			       .n_rows = 11,
			       .n_unmarked = 11,
			       .n_straight = 11,
			       .quartiles = { cycles, cycles },
			       .n_values = 1,
			       .values = { { cycles, 11, 0 } },
			       .bound = 2 * cycles };
}

static struct estimate judge_visits(uint8_t class, uint8_t combine,
				    const struct visit *v, uint32_t n)
{
	const struct kernel_visits t = {
		.class = class, .combine = combine, .n = n, .visits = v
	};

	return evidence_judge(&run.evidence, &t);
}

static struct estimate judge(uint8_t class, const double *cycles, uint32_t n)
{
	struct visit v[VISITS];

	for (uint32_t i = 0; i < n; i++)
		v[i] = visit_at(cycles[i]);
	return judge_visits(class, COMBINE_LOWEST, v, n);
}

/* A run in which kernels of one class are never wrong, and every third of the
 * other is in a slower state in half of its visits. */
static int learn(void **state)
{
	(void)state;
	memset(&run, 0, sizeof(run));
	for (size_t k = 0; k < KERNELS + KERNELS; k++) {
		bool loads = k >= KERNELS;

		for (size_t i = 0; i < VISITS; i++)
			run.visits[k][i] = visit_at(
				loads && k % 3 == 0 && i % 2 ? slow : fast);
		run.list[k] = (struct kernel_visits){
			.class = loads ? LOADS : QUIET,
			.combine = COMBINE_LOWEST,
			.n = VISITS,
			.visits = run.visits[k],
		};
	}
	evidence_learn(&run.evidence, run.list, 2 * KERNELS);
	return 0;
}

GROUP(learn, NULL);

/* A class that is often wrong is no excuse for its kernels: the class with the
 * fewest wrong visits shows what disturbances do. */
TEST(slow_visits_are_states_where_disturbances_are_rare)
{
	static const double v[] = { slow, fast, fast, slow, fast, fast };
	struct estimate e = judge(LOADS, v, 6);

	assert_int_equal(e.state, VERDICT_TWO_STATES);
	assert_true(e.low == fast && e.high == slow);
	assert_true(e.unsteady);
}

/* Three visits that are slow by different amounts are no accident either. */
TEST(slow_visits_need_not_agree)
{
	static const double v[] = { slow,  fast, 0.41, fast,
				    0.445, fast, fast, fast };
	struct estimate e = judge(LOADS, v, 8);

	assert_int_equal(e.state, VERDICT_TWO_STATES);
	assert_true(e.low == fast);
}

TEST(one_slow_visit_is_a_disturbance)
{
	static const double v[] = { fast, fast, slow, fast, fast, fast };
	struct estimate e = judge(QUIET, v, 6);

	assert_int_equal(e.state, VERDICT_OK);
	assert_false(e.unsteady);
}

/* Of six values within 8 % some two are within 2 %. */
TEST(values_that_scatter_are_not_one)
{
	static const double v[] = { 1.000, 1.018, 1.038, 1.045, 0.969, 0.985 };
	struct estimate e = judge(QUIET, v, 6);

	assert_int_not_equal(e.state, VERDICT_OK);
	assert_true(e.low <= 0.985 && e.high >= 1.018);
}

/* Three visits agree, and five that were as little disturbed have no value. */
TEST(visits_without_a_value_are_no_support)
{
	struct visit v[VISITS];
	struct estimate e;

	for (uint32_t i = 0; i < VISITS; i++) {
		v[i] = visit_at(1);
		if (i >= 4)
			v[i].n_values = 0;
	}
	e = judge_visits(QUIET, COMBINE_LOWEST, v, VISITS);
	assert_int_equal(e.state, VERDICT_OK);
	v[3].n_values = 0;
	e = judge_visits(QUIET, COMBINE_LOWEST, v, VISITS);
	assert_int_equal(e.state, VERDICT_UNSTABLE);
}

/* Where most wrong visits are states, two slow ones are, though they differ. */
TEST(two_slow_visits_are_a_state_where_states_are_frequent)
{
	static const double v[] = { fast, 0.353, fast, 0.362,
				    fast, fast,  fast, fast };

	assert_int_equal(judge(LOADS, v, 8).state, VERDICT_TWO_STATES);
	assert_int_equal(judge(QUIET, v, 8).state, VERDICT_OK);
}

/* A slowed calibration explains one visit that is 4 % faster; where kernels
 * have states it is more likely one of them. */
TEST(one_fast_visit_is_a_state_where_states_are_frequent)
{
	static const double v[] = { fast,  0.354, 0.354, 0.354,
				    0.354, 0.354, 0.354 };
	struct estimate e = judge(LOADS, v, 7);

	assert_int_equal(e.state, VERDICT_UNSTABLE);
	assert_true(e.low == fast && e.doubtful);
	assert_int_equal(judge(QUIET, v, 7).state, VERDICT_OK);
}

/* The densest of scattered rows agree by chance, and vary from visit to visit.
 * Rows of a chain that do so are disturbed. */
TEST(rows_that_scatter_are_not_one_value)
{
	struct visit v[] = { visit_at(0.516), visit_at(0.518), visit_at(0.524),
			     visit_at(0.526) };
	struct estimate e;

	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		v[i].values[0].n_rows = 6;
		v[i].quartiles[0] = 0.5;
		v[i].quartiles[1] = 0.55;
	}
	e = judge_visits(QUIET, COMBINE_LOWEST, v, 4);
	assert_int_equal(e.state, VERDICT_UNSTABLE);
	assert_true(e.low == 0.5 && e.high == 0.55);
	e = judge_visits(QUIET, COMBINE_MEDIAN, v, 4);
	assert_int_equal(e.state, VERDICT_OK);
	/* Chance does not make visits agree to the accuracy of a value. */
	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++)
		v[i].values[0].cycles = 0.516;
	e = judge_visits(QUIET, COMBINE_LOWEST, v, 4);
	assert_int_equal(e.state, VERDICT_OK);
}

/* A value that is settled, but would not be if the next visits differed. */
TEST(few_visits_prove_nothing_where_states_are_frequent)
{
	static const double same[] = { fast, fast, fast, fast,
				       fast, fast, fast, fast },
			    apart[] = { fast, 0.344 };

	assert_false(judge(QUIET, same, 2).unproved);
	assert_true(judge(QUIET, apart, 2).unproved);
	assert_true(judge(LOADS, same, 5).unproved);
	assert_int_equal(judge(LOADS, same, 5).state, VERDICT_OK);
	/* Enough for a value, not to end. */
	assert_true(judge(LOADS, same, 5).doubtful);
	assert_false(judge(LOADS, same, 8).doubtful);
}
