/* Which accesses hold up a program, and for how long. */
#include <math.h>

#include "host/estimate/mshr.h"
#include "tests/unit/unit.h"

static void run(const struct mshr_access *x, size_t n, uint32_t entries,
		uint64_t window, uint64_t *delays)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct mshr_result r = { 0 };
	struct mshr_options o = { .entries = entries, .window = window };

	mshr_run(&a, x, n, &o, &r, delays);
}

/* A hit that needs the data of a miss waits for it; the delay is that of the
 * miss. */
TEST(cause)
{
	enum { N = 64, LATENCY = 300, HIT = 5 };
	struct mshr_access x[N];
	uint64_t delays[N];

	for (size_t i = 0; i < N; i++)
		x[i] = (struct mshr_access){
			.time = i,
			.order = i,
			.line = i,
			.latency = i % 2 ? HIT : LATENCY,
			.depends = i % 2 ? (uint32_t)i - 1 : MSHR_NONE,
			.redirect = MSHR_NONE,
			.misses = i % 2 == 0,
			.holds = true,
		};
	run(x, N, 1, 8, delays);
	for (size_t i = 0; i < N; i++)
		assert_true((delays[i] > 0) == (i % 2 == 0));
}

/* What accesses hold up does not depend on where a long stream is cut. */
TEST(pieces)
{
	enum { N = 4096, PIECE = 1024, WINDOW = 512 };
	static struct mshr_access x[N];
	static uint64_t delays[N];
	double whole = 0, pieces = 0;

	for (size_t i = 0; i < N; i++)
		x[i] = (struct mshr_access){
			.time = i,
			.order = 3 * i,
			.line = i,
			.latency = 300,
			.depends = MSHR_NONE,
			.redirect = MSHR_NONE,
			.misses = true,
			.holds = true,
		};
	run(x, N, 10, WINDOW, delays);
	for (size_t i = 0; i < N; i++)
		whole += (double)delays[i];
	for (size_t at = 0; at < N; at += PIECE) {
		run(x + at, PIECE, 10, WINDOW, delays);
		for (size_t i = 0; i < PIECE; i++)
			pieces += (double)delays[i];
	}
	/* 30 cycles for each access, one of them the program's own. */
	assert_true(fabs(whole / N - 29) < 0.5);
	assert_true(fabs(pieces / N - 29) < 1);
}
