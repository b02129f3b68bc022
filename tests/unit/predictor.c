/* The branch predictor: what it learns, and what nothing can predict. */
#include "host/guest/predictor.h"

#include <stdlib.h>

#include "host/base/random.h"
#include "tests/unit/unit.h"

enum {
	BRANCH = 0x1000,
	OUTER = 0x1010,
	BETWEEN = 0x2000,
	BACK = 0x3000,
	ROUNDS = 4000,
};

static struct predictor *p;

/* With 8,192 entries. */
static void open(uint32_t history, uint32_t loop)
{
	free(p);
	p = predictor_new(&(struct cache_core){
		.history = history, .patterns = 4096, .loop = loop });
	assert_non_null(p);
}

/* Mispredictions of the second half of the rounds, in which it has learned. */
static unsigned loop_exits(uint32_t iterations)
{
	unsigned n = 0;

	for (unsigned r = 0; r < ROUNDS; r++) {
		for (uint32_t i = 1; i <= iterations; i++) {
			bool wrong =
				predictor_direction(p, BRANCH, i < iterations);

			n += r >= ROUNDS / 2 && wrong;
		}
		(void)predictor_direction(p, OUTER, true);
	}
	return n;
}

/* Exits of inner loops are known as far as the history reaches. */
TEST(loops)
{
	static const uint32_t histories[] = { 8, 32, 128 };

	for (size_t i = 0; i < ARRAY_LEN(histories); i++)
		for (uint32_t n = 2; n <= 4 * histories[i]; n += 1 + n / 4) {
			unsigned wrong;

			open(histories[i], 0);
			wrong = loop_exits(n);
			if (n <= histories[i])
				assert_true(wrong < ROUNDS / 100);
			else if (n > histories[i] + 1)
				assert_true(wrong > ROUNDS / 2 * 0.9);
		}
}

TEST(constant)
{
	for (int taken = 0; taken < 2; taken++) {
		unsigned wrong = 0;

		open(128, 0);
		for (unsigned i = 0; i < ROUNDS; i++)
			wrong += predictor_direction(p, BRANCH, taken);
		assert_true(wrong <= 2);
	}
}

/* Half of fair coins are guessed, and of those with one side in ten nearly one
 * in ten. */
TEST(random)
{
	uint64_t seed = 1;
	unsigned fair = 0, rare = 0;
	enum { N = 100000 };

	open(128, 0);
	for (unsigned i = 0; i < N; i++)
		fair += predictor_direction(p, BRANCH, random_next(&seed) & 1);
	assert_true(fair > 0.48 * N && fair < 0.52 * N);
	open(128, 0);
	for (unsigned i = 0; i < N; i++)
		rare += predictor_direction(p, BRANCH,
					    random_next(&seed) % 10 == 0);
	assert_true(rare > 0.095 * N && rare < 0.15 * N);
}

/* A loop with a branch that does the opposite of another one before, after n
 * branches that always do the same; returns how often it was wrong. */
static unsigned correlated(uint32_t history, unsigned n, bool taken)
{
	uint64_t seed = 1;
	unsigned wrong = 0;

	open(history, 0);
	for (unsigned i = 0; i < 2 * ROUNDS; i++) {
		bool first = random_next(&seed) & 1;

		(void)predictor_direction(p, BRANCH, first);
		for (unsigned k = 0; k < n; k++)
			(void)predictor_direction(p, BETWEEN + 4 * k, taken);
		if (predictor_direction(p, OUTER, !first) && i >= ROUNDS)
			wrong++;
		(void)predictor_direction(p, BACK, true);
	}
	return wrong;
}

/* Only taken branches displace others from the history. */
TEST(correlated)
{
	enum { HISTORY = 64 };

	for (unsigned n = 0; n < HISTORY - 4; n += 20)
		assert_true(correlated(HISTORY, n, true) < ROUNDS / 50);
	assert_true(correlated(HISTORY, HISTORY, true) > ROUNDS / 3);
	assert_true(correlated(HISTORY, 3 * HISTORY, false) < ROUNDS / 50);
}

/* Mispredictions per branch of a random sequence of n branches in its last
 * repetition: of one branch, or of two by turns that are `apart`. */
static double repeated(unsigned n, unsigned apart)
{
	enum { REPETITIONS = 200 };
	unsigned wrong = 0;

	open(194, 0);
	for (unsigned r = 0; r < REPETITIONS; r++) {
		uint64_t seed = 1;

		wrong = 0;
		for (unsigned i = 0; i < n; i++) {
			uint64_t at = BRANCH + i % 2 * apart;

			wrong += predictor_direction(p, at,
						     random_next(&seed) & 1);
			(void)predictor_direction(p, BACK, i + 1 < n);
		}
	}
	return (double)wrong / n;
}

/* A Granite Rapids learns a repeated sequence of 4,096 random branches, and
 * hardly one of 16,384; one of 8,192 only if half of the branches are 32 bytes
 * off. */
TEST(capacity)
{
	assert_true(repeated(4096, 0) < 0.05);
	assert_true(repeated(8192, 32) < 0.05);
	assert_true(repeated(8192, 0) > 0.15);
	assert_true(repeated(8192, 64) > 0.15);
	assert_true(repeated(16384, 0) > 0.35);
}

/* Which of two ways led to a branch is known by a direct jump on one of
 * them: it is taken exactly when that jump was. */
TEST(direct_jump)
{
	uint64_t seed = 1;
	unsigned with = 0, without = 0;

	for (int jumps = 0; jumps < 2; jumps++) {
		open(32, 0);
		for (unsigned i = 0; i < ROUNDS; i++) {
			bool way = random_next(&seed) & 1;

			if (way && jumps)
				predictor_taken(p, BETWEEN);
			*(jumps ? &with : &without) +=
				predictor_direction(p, BRANCH, way);
			(void)predictor_direction(p, BACK, true);
		}
	}
	assert_true(with < ROUNDS / 10);
	assert_true(without > ROUNDS / 3);
}

/* However long the history, exits of longer loops are not predicted. */
TEST(loop_limit)
{
	for (uint32_t n = 2; n < 100; n++) {
		unsigned wrong;

		open(128, 33);
		wrong = loop_exits(n);
		assert_true(n <= 33 ? wrong < ROUNDS / 100
				    : wrong >= ROUNDS / 2);
	}
}

/* Jumps through a table: in order, then at random. */
TEST(targets)
{
	uint64_t seed = 1;
	unsigned ordered = 0, random = 0;

	open(32, 0);
	for (unsigned i = 0; i < ROUNDS; i++)
		ordered += predictor_target(p, BRANCH, 0x2000 + i % 4 * 16);
	assert_true(ordered < ROUNDS / 20);
	for (unsigned i = 0; i < ROUNDS; i++)
		random += predictor_target(
			p, BRANCH, 0x2000 + random_next(&seed) % 4 * 16);
	assert_true(random > ROUNDS / 2);
	open(1, 0);
	assert_true(predictor_target(p, BRANCH, 0x2000));
	assert_false(predictor_target(p, BRANCH, 0x2000));
}
