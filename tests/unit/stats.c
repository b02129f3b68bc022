/* Order statistics of few values and of many. */
#include "host/solve/stats.h"
#include "host/base/random.h"
#include "tests/unit/unit.h"

enum { MOST = 200 };

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Of every length, with values that occur several times. */
TEST(sorted_as_the_library_does)
{
	uint64_t seed = 1;

	for (size_t n = 0; n <= MOST; n++) {
		double values[MOST + 1], expected[MOST + 1];

		for (size_t i = 0; i < n; i++)
			values[i] = (double)(random_next(&seed) % (n + 1)) - 3;
		values[n] = -1e9; /* not touched */
		memcpy(expected, values, sizeof(values));
		qsort(expected, n, sizeof(*expected), by_value);
		stats_sort(values, n);
		assert_memory_equal(values, expected,
				    (n + 1) * sizeof(*values));
	}
}

/* Of every length, with values that occur several times. */
TEST(quantiles_are_those_of_the_sorted)
{
	static const double parts[] = { 0, 0.1, 0.25, 0.5, 0.9, 1 };
	uint64_t seed = 2;

	for (size_t n = 1; n <= MOST; n++) {
		double values[MOST], sorted[MOST];

		for (size_t i = 0; i < n; i++)
			sorted[i] = (double)(random_next(&seed) % (2 * n));
		memcpy(values, sorted, sizeof(values));
		stats_sort(sorted, n);
		for (size_t i = 0; i < ARRAY_LEN(parts); i++)
			assert_true(
				stats_quantile(values, n, parts[i]) ==
				sorted[(size_t)((double)(n - 1) * parts[i])]);
	}
}

TEST(median_is_the_lower_of_two)
{
	double two[] = { 7, 3 }, three[] = { 9, 1, 5 }, one[] = { 4 };

	assert_true(stats_median(two, 2) == 3);
	assert_true(stats_median(three, 3) == 5);
	assert_true(stats_median(one, 1) == 4);
	assert_true(stats_quantile(three, 3, 1) == 9);
}
