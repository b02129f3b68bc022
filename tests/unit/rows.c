/* Rows of a core clock whose lengths were disturbed one by one, and rows of
 * jumps. */
#include <math.h>

#include "host/solve/estimate.h"
#include "tests/unit/unit.h"

enum { MAX_ROWS = 4 };

static struct estimate judge(const struct shape *k, uint32_t n,
			     const uint64_t rows[][PACK_LENGTHS],
			     uint32_t n_rows)
{
	uint64_t ticks[MAX_ROWS * PACK_LENGTHS];
	const struct sample m = {
		.n_iterations = n, .n_rows = n_rows, .row = 3, .values = ticks
	};

	memcpy(ticks, rows, n_rows * sizeof(rows[0]));
	return estimate_core(k, &m, 1, COMBINE_LOWEST);
}

/* While the predictors of an out-of-order core learn, a length is 20 to 60
 * cycles off; an AMO of an in-order core met something else once.  Both were
 * simulated. */
TEST(a_length_is_disturbed_alone)
{
	static const struct {
		uint32_t n, n_rows;
		uint64_t ticks[MAX_ROWS][PACK_LENGTHS];
		double value; /* 0: none is certain */
	} rows[] = {
		{ 18,
		  3,
		  { { 794, 1549, 2240 },
		    { 794, 1549, 2234 },
		    { 794, 1514, 2234 } },
		  5 },
		{ 24, 2, { { 1170, 2322, 3474 }, { 1197, 2322, 3474 } }, 6 },
		/* Both lengths but one were disturbed in either row. */
		{ 24, 2, { { 1170, 2342, 3494 }, { 1197, 2322, 3474 } }, 0 },
		/* Two states of the whole row. */
		{ 24,
		  4,
		  { { 1170, 2322, 3474 },
		    { 1300, 2580, 3860 },
		    { 1170, 2322, 3474 },
		    { 1300, 2580, 3860 } },
		  0 },
		/* The least times are on no line. */
		{ 24, 2, { { 1140, 2322, 3474 }, { 1197, 2322, 3474 } }, 0 },
	};
	static const struct shape shape = { .unroll = { 8, 16, 24 },
					    .ops_per_body = 1 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct estimate e =
			judge(&shape, rows[i].n, rows[i].ticks, rows[i].n_rows);

		if (rows[i].value > 0) {
			assert_int_equal(e.state, VERDICT_OK);
			assert_true(e.low == rows[i].value &&
				    e.high == rows[i].value &&
				    e.uncertainty == 0);
		} else {
			assert_int_not_equal(e.state, VERDICT_OK);
		}
	}
}

static bool holds(const struct estimate *e, double truth)
{
	return e->low * (1 - e->uncertainty) <= truth &&
	       e->high * (1 + e->uncertainty) >= truth;
}

/* Each jump takes two cycles more the first time that a run executes it, on a
 * simulated XuanTie C906.  The last row is of no core: a cycle and a
 * quarter. */
TEST(jumps_are_new_to_each_run)
{
	static const struct {
		uint32_t n;
		uint64_t ticks[PACK_LENGTHS];
		double low, high;
	} rows[] = {
		{ 180, { 1290, 1654, 2018 }, 1, 1 },
		{ 168, { 1216, 1554, 1897 }, 1, 1 },
		{ 180, { 1308, 1677, 2031 }, 1, 1 },
		{ 86, { 1326, 1846, 2366 }, 3, 3 },
		{ 180, { 1290, 1744, 2198 }, 1.23, 1.27 },
	};
	struct shape jumps = { .unroll = { 4, 6, 8 },
			       .ops_per_body = 1,
			       .jumps = true };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t twice[2][PACK_LENGTHS];
		struct estimate e;

		memcpy(twice[0], rows[i].ticks, sizeof(rows[i].ticks));
		memcpy(twice[1], rows[i].ticks, sizeof(rows[i].ticks));
		e = judge(&jumps, rows[i].n, twice, 2);
		assert_true(e.low >= rows[i].low && e.high <= rows[i].high);
		assert_true(e.state == (rows[i].low == rows[i].high
						? VERDICT_OK
						: VERDICT_NOISY));
		assert_true(holds(&e, (rows[i].low + rows[i].high) / 2));
		jumps.jumps = false;
		e = judge(&jumps, rows[i].n, twice, 2);
		assert_true(e.low > rows[i].low);
		jumps.jumps = true;
	}
}
