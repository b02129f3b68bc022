/* How long a loop takes, from rows of short and long runs. */
#include <math.h>

#include "host/base/file.h"
#include "tests/estimate/clock.h"
#include "tests/unit/unit.h"

/* This share of the rows, in hundredths, has runs of so many cycles. */
struct kind {
	size_t rows;
	double cycles[CLOCK_N];
};

/* The difference of rows of these kinds; single rows are up to 0.2 % longer. */
static double difference(const struct kind *kinds, size_t n)
{
	struct clock_row rows[100] = { { .cycles = { 0 } } };
	size_t n_rows = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < kinds[i].rows; k++, n_rows++)
			for (int l = 0; l < CLOCK_N; l++)
				rows[n_rows].cycles[l] =
					kinds[i].cycles[l] *
					(1 + (double)(n_rows % 5) / 2500);
	return clock_difference(rows, n_rows);
}

/* Wide units that are asleep make a short run longer, and a long run less
 * so. */
TEST(slow_short_runs)
{
	static const struct kind kinds[] = {
		{ 20, { 18700, 30240 } },
		{ 40, { 20000, 30250 } },
		{ 40, { 32700, 30300 } },
	};

	assert_true(fabs(difference(kinds, ARRAY_LEN(kinds)) - 11540) < 100);
}

/* Of several states the lowest counts, if it is frequent. */
TEST(states)
{
	static const struct kind often[] = {
		{ 30, { 18700, 30240 } },
		{ 70, { 22000, 36000 } },
	};
	static const struct kind seldom[] = {
		{ 3, { 18700, 30240 } },
		{ 97, { 22000, 36000 } },
	};

	assert_true(fabs(difference(often, 2) - 11540) < 100);
	assert_true(fabs(difference(seldom, 2) - 14000) < 100);
}

TEST(no_agreement)
{
	static const struct kind kinds[] = {
		{ 1, { 100, 250 } },
		{ 1, { 120, 300 } },
		{ 1, { 140, 350 } },
	};

	assert_true(difference(kinds, ARRAY_LEN(kinds)) == 0);
	assert_true(clock_difference(NULL, 0) == 0);
}
