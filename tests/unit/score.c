/* Figures of agreement. */
#include "host/view/score.h"

#include <math.h>

#include "tests/unit/unit.h"

static struct score scored(const struct score_pair *pairs, size_t n)
{
	struct arena a = { 0 };
	struct score ret;

	score_of(&a, pairs, n, &ret);
	arena_free(&a);
	return ret;
}

TEST(errors_are_relative_to_what_was_measured)
{
	static const struct score_pair pairs[] = {
		{ 1, 1 }, { 2, 2.2 }, { 4, 3.4 }, { 1, 2.5 }, { 10, 4 },
	};
	struct score s = scored(pairs, ARRAY_LEN(pairs));

	assert_int_equal(s.n, 5);
	assert_float_equal(s.mean, (0 + 0.1 + 0.15 + 1.5 + 0.6) / 5, 1e-9);
	assert_float_equal(s.median, 0.15, 1e-9);
	assert_float_equal(s.within_20, 0.6, 1e-9);
	assert_float_equal(s.twice, 0.2, 1e-9);
	assert_float_equal(s.half, 0.2, 1e-9);
}

/* By counting all pairs; Kendall's tau-b. */
static double tau_by_pairs(const struct score_pair *p, size_t n)
{
	double sum = 0, x = 0, y = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++) {
			int dx = (p[i].measured > p[k].measured) -
				 (p[i].measured < p[k].measured);
			int dy = (p[i].predicted > p[k].predicted) -
				 (p[i].predicted < p[k].predicted);

			sum += dx * dy;
			x += dx != 0;
			y += dy != 0;
		}
	return sum / sqrt(x * y);
}

TEST(order_is_kendalls)
{
	enum { MOST = 60, ROUNDS = 200 };
	struct score_pair pairs[MOST];
	uint32_t random = 1;

	for (size_t round = 0; round < ROUNDS; round++) {
		size_t n = 4 + round % (MOST - 4);

		for (size_t i = 0; i < n; i++) {
			random = random * 1664525 + 1013904223;
			pairs[i].measured = 1 + (random >> 24) % 9;
			pairs[i].predicted = 1 + (random >> 16) % 9;
		}
		pairs[0] = (struct score_pair){ 1, 2 };
		pairs[1] = (struct score_pair){ 2, 1 };
		assert_float_equal(scored(pairs, n).tau, tau_by_pairs(pairs, n),
				   1e-9);
	}
}

TEST(nothing_has_no_score)
{
	static const struct score_pair same[] = { { 1, 1 }, { 1, 1 } };

	assert_int_equal(scored(same, 0).n, 0);
	assert_float_equal(scored(same, 2).tau, 0, 1e-9);
}
