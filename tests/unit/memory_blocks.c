/* Waiting of a block from samples that have too many lines of one depth and too
 * few of another: exact counts decide. */
#include <math.h>

#include "host/estimate/memory_inner.h"
#include "tests/unit/unit.h"

enum {
	LINES = 1000,
	/* Of 1,000 lines 60 are in the second level and 40 in memory; 10 pages
	 * are in the second TLB and 50 walk. */
	L1_MISSES = 100,
	L2_MISSES = 40,
	TLB1_MISSES = 60,
	TLB2_MISSES = 50,
	L1 = 4,
	L2 = 14,
	MEMORY = 300,
	SECOND_TLB = 7,
	WALK = 50,
};

static const uint64_t misses[] = { TLB1_MISSES, TLB2_MISSES, L1_MISSES,
				   L2_MISSES };
static const struct profile_access access = {
	.lines = LINES,
	.loads = true,
	.misses = misses,
};
static const struct profile_block block = { .n_accesses = 1,
					    .accesses = &access };
static const uint32_t first_level[] = { 0, 2, 4 };
static const struct profile profile = { .n_blocks = 1,
					.blocks = &block,
					.n_levels = 4,
					.first_level = first_level };
static const struct cache_hierarchy hierarchy = {
	.n_levels = 2,
	.levels = { { .latency = L1 }, { .latency = L2 } },
	.memory_latency = MEMORY,
	.tlb = { .n_levels = 2,
		 .levels = { { .latency = 0 }, { .latency = SECOND_TLB } },
		 .walk = WALK },
};

static const double memory_extra = MEMORY - L1, l2_extra = L2 - L1;
static const double translation =
	(TLB1_MISSES - TLB2_MISSES) * SECOND_TLB + TLB2_MISSES * WALK;

/* The block's waiting; *ret: the exact latencies. */
static double waiting(const struct block_sums *sums, bool tlbs, double *ret)
{
	double memory[1] = { 0 }, branches[1] = { 0 };
	struct estimate_block b = { .memory = memory, .branches = branches };
	struct estimate_hierarchy h = {
		.caches = &hierarchy,
		.simulated = 1,
		.tlb = tlbs ? 0 : ESTIMATE_NONE,
	};
	struct estimate_input in = { .p = &profile };
	struct program_estimate x = {
		.in = &in, .n_blocks = 1, .blocks = &b, .hierarchies = &h
	};

	*ret = memory_set_blocks(&x, 0, sums);
	assert_true(h.memory_cycles == memory[0] && h.cycles == memory[0]);
	return memory[0];
}

static void assert_near(double is, double expected)
{
	assert_true(fabs(is - expected) < 1e-6 * expected);
}

/* A line in the second level waits 2 cycles, one in memory 100.  Those in
 * memory are sampled ten times too rarely, as often as others, and ten times
 * too often. */
TEST(depths)
{
	struct block_sums s = { { { .n = LINES }, { 60, 120, 0 } } };
	double exact;

	for (int n = 4; n <= 400; n *= 10) {
		s.at[2] = (struct depth_sums){ n, 100.0 * n, 0 };
		assert_near(waiting(&s, false, &exact),
			    (L1_MISSES - L2_MISSES) * 2 + L2_MISSES * 100);
	}
	assert_near(exact, (L1_MISSES - L2_MISSES) * l2_extra +
				   L2_MISSES * memory_extra);
}

/* Hits that wait for what others brought about have no latency of their own. */
TEST(hits)
{
	struct block_sums s = {
		{ { 450, 90, 0 }, { 60, 120, 0 }, { 40, 80, 0 } }
	};
	double exact;

	assert_near(waiting(&s, false, &exact), 900 * 0.2 + 60 * 2 + 40 * 2);
}

/* Only lines in the second level wait for translation; a tenth of their
 * latencies is not hidden. */
TEST(translation)
{
	struct block_sums s = {
		{ { .n = LINES }, { 60, 120, 600 }, { 4, 400, 0 } }
	};
	double exact;

	assert_near(waiting(&s, true, &exact),
		    0.1 * (60 * l2_extra + translation) + L2_MISSES * 100);
	assert_near(exact, (L1_MISSES - L2_MISSES) * l2_extra +
				   L2_MISSES * memory_extra + translation);
}

/* What is subtracted for hits counts for lines without latency, too. */
TEST(negative)
{
	struct block_sums s = {
		{ { 450, -45, 0 }, { 60, 120, 0 }, { 40, 80, 0 } }
	};
	double exact;

	assert_near(waiting(&s, false, &exact), 60 * 2 + 40 * 2 - 900 * 0.1);
}

/* A depth without a sample has the block's mean share, here a fifth; without
 * any sample nothing is known, and nothing is added. */
TEST(no_sample)
{
	struct block_sums s = { { { .n = LINES }, { 60, 120, 0 } } }, none;
	double exact;

	assert_near(waiting(&s, true, &exact),
		    120 + 0.2 * (L2_MISSES * memory_extra + translation));
	memset(&none, 0, sizeof(none));
	assert_true(waiting(&none, true, &exact) == 0);
}
