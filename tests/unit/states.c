/* States of kernels, disturbances, and visits that scatter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host/solve/evidence.h"

enum { QUIET = 1, LOADS = 2, KERNELS = 200, VISITS = 8 };

static const double fast = 0.339, slow = 0.38;

static struct {
	struct evidence evidence;
	struct visit visits[2 * KERNELS][VISITS];
	struct kernel_visits list[2 * KERNELS];
} run;

static struct visit visit_at(double cycles)
{
	return (struct visit){ .state = ESTIMATE_OK,
			       .n_rows = 11,
			       .n_unmarked = 11,
			       .n_values = 1,
			       .values = { { cycles, 11, 0 } },
			       .bound = 2 * cycles };
}

static struct estimate judge(uint8_t class, const double *cycles, uint32_t n)
{
	struct visit v[VISITS];
	struct kernel_visits t = {
		.class = class, .combine = COMBINE_LOWEST, .n = n, .visits = v
	};

	for (uint32_t i = 0; i < n; i++)
		v[i] = visit_at(cycles[i]);
	return evidence_judge(&run.evidence, &t);
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

/* A class that is often wrong is no excuse for its kernels: the class with the
 * fewest wrong visits shows what disturbances do. */
static void test_slow_visits_are_states_where_disturbances_are_rare(
	void **state)
{
	static const double v[] = { slow, fast, fast, slow, fast, fast };
	struct estimate e = judge(LOADS, v, 6);

	(void)state;
	assert_int_equal(e.state, ESTIMATE_TWO_STATES);
	assert_true(e.low == fast && e.high == slow);
	assert_true(e.unsteady);
}

/* Three visits that are slow by different amounts are no accident either. */
static void test_slow_visits_need_not_agree(void **state)
{
	static const double v[] = { slow,  fast, 0.41, fast,
				    0.445, fast, fast, fast };
	struct estimate e = judge(LOADS, v, 8);

	(void)state;
	assert_int_equal(e.state, ESTIMATE_TWO_STATES);
	assert_true(e.low == fast);
}

static void test_one_slow_visit_is_a_disturbance(void **state)
{
	static const double v[] = { fast, fast, slow, fast, fast, fast };
	struct estimate e = judge(QUIET, v, 6);

	(void)state;
	assert_int_equal(e.state, ESTIMATE_OK);
	assert_false(e.unsteady);
}

/* Of six values within 8 % some two are within 2 %. */
static void test_values_that_scatter_are_not_one(void **state)
{
	static const double v[] = { 1.000, 1.018, 1.038, 1.045, 0.969, 0.985 };
	struct estimate e = judge(QUIET, v, 6);

	(void)state;
	assert_int_not_equal(e.state, ESTIMATE_OK);
	assert_true(e.low <= 0.985 && e.high >= 1.018);
}

/* Three visits agree, and five that were as little disturbed have no value. */
static void test_visits_without_a_value_are_no_support(void **state)
{
	struct visit v[VISITS];
	struct kernel_visits t = { .class = QUIET,
				   .combine = COMBINE_LOWEST,
				   .n = VISITS,
				   .visits = v };
	struct estimate e;

	(void)state;
	for (uint32_t i = 0; i < VISITS; i++) {
		v[i] = visit_at(1);
		if (i >= 4)
			v[i].n_values = 0;
	}
	e = evidence_judge(&run.evidence, &t);
	assert_int_equal(e.state, ESTIMATE_OK);
	v[3].n_values = 0;
	e = evidence_judge(&run.evidence, &t);
	assert_int_equal(e.state, ESTIMATE_UNSTABLE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_slow_visits_are_states_where_disturbances_are_rare),
		cmocka_unit_test(test_slow_visits_need_not_agree),
		cmocka_unit_test(test_one_slow_visit_is_a_disturbance),
		cmocka_unit_test(test_values_that_scatter_are_not_one),
		cmocka_unit_test(test_visits_without_a_value_are_no_support),
	};

	return cmocka_run_group_tests(tests, learn, NULL);
}
