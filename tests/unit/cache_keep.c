/* Levels that do not keep every line (cache_level.keep). */
#include "host/cache/sim.h"
#include "tests/unit/unit.h"

enum { LINES = 4096, LINE = 64, PASSES = 6 };

/* Misses of the second level in each pass over the same lines. */
static void pass(uint32_t keep, bool store, bool classes, uint64_t *misses)
{
	const struct cache_hierarchy h = {
		.name = "h",
		.n_levels = 2,
		.levels = { { .name = "l1",
			      .bytes = 8 * LINE,
			      .line_bytes = LINE,
			      .ways = 8 },
			    { .name = "l2",
			      .bytes = LINES * LINE,
			      .line_bytes = LINE,
			      .ways = 8,
			      .shared = true,
			      .keep = keep } },
	};
	const struct cache_options o = { .classes = classes };
	struct cache_sim *s = cache_sim_new(&h, 1, &o);
	struct cache_cpu *cpu = cache_cpu_new(s);
	uint64_t before = 0;

	for (int i = 0; i < PASSES; i++) {
		struct cache_counts c;

		for (uint64_t line = 0; line < LINES; line++)
			cache_access(cpu, &line, 1, store, 0, line);
		c = cache_sim_counts(s, 0, 1);
		if (classes)
			assert_int_equal(c.misses,
					 c.cold + c.capacity + c.conflict);
		misses[i] = c.misses - before;
		before = c.misses;
	}
	assert_int_equal(cache_sim_counts(s, 0, 1).cold, LINES);
	cache_sim_free(s);
}

/* 1, 1, 1 - p, (1 - p)^2 ... of the lines are missing, within five standard
 * deviations. */
TEST(lines_are_kept_when_they_are_loaded_again)
{
	static const uint32_t keep[] = { 30, 50, 66, 100 };

	for (size_t k = 0; k < 4; k++) {
		uint64_t misses[PASSES], again[PASSES];
		double share = 1;

		pass(keep[k], false, false, misses);
		assert_int_equal(misses[0], LINES);
		for (int i = 1; i < PASSES; i++) {
			double away = (double)misses[i] - LINES * share;

			if (away * away > 25.0 * LINES * share * (1 - share))
				fail_msg("keep %u, pass %d: %d misses", keep[k],
					 i, (int)misses[i]);
			share *= 1 - keep[k] / 100.0;
		}
		pass(keep[k], false, true, again);
		assert_memory_equal(misses, again, sizeof(misses));
	}
}

TEST(without_keep_every_line_is_kept)
{
	uint64_t misses[PASSES];

	pass(0, false, true, misses);
	assert_int_equal(misses[0], LINES);
	for (int i = 1; i < PASSES; i++)
		assert_int_equal(misses[i], 0);
}

TEST(what_stores_ask_for_is_not_kept)
{
	uint64_t misses[PASSES];

	pass(100, true, true, misses);
	for (int i = 0; i < PASSES; i++)
		assert_int_equal(misses[i], LINES);
}
