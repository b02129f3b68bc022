/* Kernels whose lengths run in different states of a core. */
#include <math.h>

#include "host/solve/levels.h"
#include "tests/unit/noise.h"
#include "tests/unit/unit.h"

enum { KERNELS = 300, VISITS = 10, FEW_VISITS = 2 };

static const double fast = 0.5, slow = 0.575;

/* ---- from levels to a value ------------------------------------------------
 */

/* A visit whose rows share the slow value, with these levels; 0: no rows share
 * any value. */
static struct visit visit_at(double value, double a, double b, double c)
{
	return (struct visit){ .state = VERDICT_OK,
			       .n_rows = 11,
			       .n_values = value > 0,
			       .values = { { value, 11, 0 } },
			       .level = { a, b, c },
			       .bound = value };
}

static struct estimate judge(const struct visit *v, uint32_t n)
{
	static struct evidence prior;
	struct kernel_visits t = { .combine = COMBINE_LOWEST,
				   .n = n,
				   .visits = v,
				   .unroll = machine_shape.unroll };

	evidence_prior(&prior);
	return evidence_judge(&prior, &t);
}

TEST(a_line_through_the_fastest_levels)
{
	const struct visit v[] = {
		visit_at(slow, fast, slow, slow),
		visit_at(slow, fast, fast, slow),
		visit_at(slow, slow, fast, fast),
		visit_at(slow, slow, slow, fast),
	};
	struct estimate e = judge(v, 4);

	assert_int_equal(e.state, VERDICT_TWO_STATES);
	assert_true(fabs(e.low - fast) < 1e-9 && e.high == slow);
	assert_int_equal(e.visits, 2);
	assert_false(e.doubtful);
}

TEST(a_lone_level_asks_for_more_visits)
{
	const struct visit v[] = {
		visit_at(slow, fast, slow, slow),
		visit_at(slow, slow, slow, slow),
		visit_at(slow, slow, slow, slow),
	};
	struct estimate e = judge(v, 3);

	assert_int_equal(e.state, VERDICT_UNSTABLE);
	assert_true(e.doubtful);
	assert_true(e.low == fast && e.high == slow);
}

TEST(levels_on_no_line_ask_for_more_visits)
{
	const struct visit v[] = {
		visit_at(slow, slow, fast, slow),
		visit_at(slow, slow, fast, slow),
	};
	struct estimate e = judge(v, 2);

	assert_int_equal(e.state, VERDICT_UNSTABLE);
	assert_true(e.doubtful);
}

TEST(levels_straighten_bent_visits)
{
	struct visit v[] = {
		visit_at(0, fast, slow, fast),
		visit_at(0, fast, fast, slow),
		visit_at(0, slow, fast, fast),
	};
	struct estimate e;

	for (int i = 0; i < 3; i++)
		v[i].state = VERDICT_NOT_LINEAR;
	e = judge(v, 3);
	assert_int_equal(e.state, VERDICT_OK);
	assert_true(e.has_value && fabs(e.low - fast) < 1e-9);
	/* A kernel whose middle length is slow is not straight. */
	for (int i = 0; i < 3; i++)
		v[i].level[0] = v[i].level[2] = fast, v[i].level[1] = slow;
	assert_int_equal(judge(v, 3).state, VERDICT_NOT_LINEAR);
}

/* The shortest length alone, of a short loop: the fastest level that two visits
 * share, and the other one where a quarter of the visits share it. */
TEST(whole_iterations_may_have_two_levels)
{
	struct visit v[] = {
		visit_at(0.2, 1.6, 0, 0),  visit_at(0.2, 2, 0, 0),
		visit_at(0.2, 2.01, 0, 0), visit_at(0.2, 1.61, 0, 0),
		visit_at(0.2, 2, 0, 0),    visit_at(0.2, 1.8, 0, 0),
	};
	struct estimate e = judge(v, 6);

	assert_true(fabs(e.shortest - 1.605) < 1e-9);
	assert_true(fabs(e.shortest_slow - 6.01 / 3) < 1e-9);
	assert_int_equal(e.n_shortest, 5);
	e = judge(v, 1);
	assert_true(e.shortest == 0 && e.shortest_slow == 0);
	/* One visit in six is no state. */
	for (int i = 0; i < 5; i++)
		v[i].level[0] = 1.6;
	e = judge(v, 6);
	assert_true(e.shortest_slow == 0);
	assert_int_equal(e.n_shortest, 5);
}

/* ---- from rows --------------------------------------------------------------
 */

static struct estimate measured(uint64_t seed, double keeps, size_t n)
{
	struct machine q = machine_new(seed);
	const struct kernel k = {
		.cycles = fast, .second = slow, .shared = 0.3, .keeps = keeps
	};
	uint64_t values[VISITS][MACHINE_ROWS * 8];
	struct sample m[VISITS];

	for (uint32_t i = 0; i < n; i++)
		m[i] = machine_visit(&q, &k, i, values[i]);
	return estimate_ref(&machine_shape, &machine_calibration, m, n,
			    COMBINE_LOWEST);
}

TEST(states_of_lengths_are_found)
{
	size_t n_fast = 0, n_wrong = 0;

	for (uint64_t seed = 1; seed <= KERNELS; seed++) {
		struct estimate e = measured(seed, 0.7, VISITS);
		bool is_fast = fabs(e.low / fast - 1) < 0.01;
		bool valued =
			e.state == VERDICT_OK || e.state == VERDICT_TWO_STATES;

		n_fast += valued && is_fast;
		n_wrong += e.state == VERDICT_OK && !is_fast;
	}
	assert_in_range(n_fast, KERNELS * 97 / 100, KERNELS);
	assert_int_equal(n_wrong, 0);
}

/* Two visits that agree on the slow state mostly show the fast one in some
 * length: they are not enough. */
TEST(two_visits_are_seldom_wrong)
{
	size_t n_wrong = 0;

	for (uint64_t seed = 1; seed <= KERNELS; seed++) {
		struct estimate e = measured(seed, 0.9, FEW_VISITS);

		n_wrong += e.state == VERDICT_OK && !e.doubtful &&
			   fabs(e.low / fast - 1) > 0.01;
	}
	assert_in_range(n_wrong, 0, KERNELS / 50);
}
