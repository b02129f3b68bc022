/* Levels that choose sets by physical addresses (struct cache_pages). */
#include <math.h>

#include "host/base/random.h"
#include "host/cache/physical.h"
#include "host/cache/sim.h"
#include "tests/unit/unit.h"

enum { LINE = 64, PIECE = 4096, SHIFT = 6, PERCENT = 40, N = 1 << 18 };

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void check_numbers(uint64_t *all, uint32_t shift, uint32_t percent)
{
	static const uint64_t from[] = { 0, UINT64_C(0x7ffff0000000) / LINE,
					 UINT64_C(0xffffffffff600000) / LINE };
	uint64_t in_piece = ((uint64_t)1 << shift) - 1;
	size_t n = 0, moved = 0;

	for (size_t f = 0; f < ARRAY_LEN(from); f++)
		for (uint64_t i = 0; i < N; i++, n++) {
			all[n] = physical_line(from[f] + i, shift, percent);
			moved += all[n] != from[f] + i;
			assert_int_equal(all[n] & in_piece,
					 (from[f] + i) & in_piece);
		}
	assert_true(fabs(100.0 * (double)moved / (double)n - percent) <
		    0.3 * percent);
	qsort(all, n, sizeof(*all), by_number);
	for (size_t i = 1; i < n; i++)
		assert_true(all[i] != all[i - 1]);
}

TEST(no_two_lines_have_the_same_number)
{
	static const uint32_t percents[] = { 100, 30, 1 };
	uint64_t *all = malloc(3 * N * sizeof(*all));

	assert_non_null(all);
	for (uint32_t shift = 0; shift <= 6; shift += 3)
		for (size_t k = 0; k < ARRAY_LEN(percents); k++)
			check_numbers(all, shift, percents[k]);
	free(all);
}

static struct cache_hierarchy hierarchy(size_t n_levels, uint32_t contiguous)
{
	return (struct cache_hierarchy){
		.name = "h",
		.n_levels = (uint32_t)n_levels,
		.levels = { { .name = "l1",
			      .bytes = 256 * LINE,
			      .line_bytes = LINE,
			      .ways = 2 },
			    { .name = "l2",
			      .bytes = 1024 * LINE,
			      .line_bytes = 2 * LINE,
			      .ways = 4,
			      .shared = true },
			    { .name = "l3",
			      .bytes = 4096 * LINE,
			      .line_bytes = 2 * LINE,
			      .ways = 4,
			      .shared = true } },
		.pages.contiguous = contiguous,
	};
}

/* Each level has the misses of a cache that is asked for the lines that miss in
 * the level above: virtual ones in the first level, if it does not have
 * physical ones, too, and physical ones in the others. */
static void check_sets(const struct cache_hierarchy *h)
{
	const struct cache_options o = { .classes = true };
	struct cache_sim *s = cache_sim_new(h, 1, &o), *alone[3];
	struct cache_cpu *cpu = cache_cpu_new(s), *cpus[3];
	uint64_t r = 7;

	for (size_t k = 0; k < 3; k++) {
		struct cache_hierarchy one = { .n_levels = 1 };

		one.levels[0] = h->levels[k];
		one.levels[0].shared = false;
		alone[k] = cache_sim_new(&one, 1, &o);
		cpus[k] = cache_cpu_new(alone[k]);
	}
	for (int i = 0; i < 200000; i++) {
		uint64_t line = random_next(&r) % 5000;
		uint64_t physical = physical_line(line, SHIFT, PERCENT);
		uint64_t asked[3] = { h->pages.first ? physical : line,
				      physical / 2, physical / 2 };
		bool missed = true;

		cache_access(cpu, &line, 1, i % 3 == 0, 0, 0);
		for (size_t k = 0; k < 3 && missed; k++) {
			uint64_t before =
				cache_sim_counts(alone[k], 0, 0).misses;

			cache_access(cpus[k], &asked[k], 1,
				     k == 0 && i % 3 == 0, 0, 0);
			missed = cache_sim_counts(alone[k], 0, 0).misses >
				 before;
		}
	}
	for (size_t k = 0; k < 3; k++) {
		struct cache_counts x = cache_sim_counts(alone[k], 0, 0);
		struct cache_counts c = cache_sim_counts(s, 0, k);

		assert_int_equal(c.accesses, x.accesses);
		assert_int_equal(c.misses, x.misses);
		assert_int_equal(c.cold, x.cold);
		assert_int_equal(c.conflict, x.conflict);
		cache_sim_free(alone[k]);
	}
	cache_sim_free(s);
}

TEST(sets_are_those_of_physical_lines)
{
	struct cache_hierarchy h = hierarchy(3, PIECE);

	h.pages.scattered = PERCENT;
	check_sets(&h);
	h.pages.first = true;
	check_sets(&h);
}

/* Hierarchies of one run share their first level if it has virtual lines in
 * both, and nothing else. */
TEST(hierarchies_differ_by_their_pages)
{
	struct cache_hierarchy all[] = { hierarchy(3, 0), hierarchy(3, PIECE),
					 hierarchy(3, PIECE),
					 hierarchy(3, PIECE) };
	const struct cache_options o = { .classes = false };
	struct cache_sim *s;
	struct cache_cpu *cpu;
	uint64_t misses[ARRAY_LEN(all)][2];
	uint64_t r = 7;

	all[2].pages.scattered = PERCENT;
	all[3].pages.first = true;
	s = cache_sim_new(all, ARRAY_LEN(all), &o);
	cpu = cache_cpu_new(s);
	for (int i = 0; i < 200000; i++) {
		uint64_t line = random_next(&r) % 5000;

		cache_access(cpu, &line, 1, i % 3 == 0, 0, 0);
	}
	for (size_t h = 0; h < ARRAY_LEN(all); h++)
		for (size_t k = 0; k < 2; k++)
			misses[h][k] = cache_sim_counts(s, h, k).misses;
	for (size_t h = 1; h < ARRAY_LEN(all); h++) {
		assert_int_equal(misses[h][0] == misses[0][0], h != 3);
		for (size_t k = 0; k < h; k++)
			assert_int_not_equal(misses[h][1], misses[k][1]);
	}
	cache_sim_free(s);
}

/* A modified line that leaves the first level is found in the second, so
 * nothing goes to memory while all lines fit. */
TEST(modified_lines_are_found_below)
{
	struct cache_hierarchy h = hierarchy(2, PIECE);
	const struct cache_options o = { .classes = false };
	struct cache_sim *s;
	struct cache_cpu *cpu;

	h.levels[1].bytes = 4096 * 2 * LINE;
	h.levels[1].ways = 4096;
	s = cache_sim_new(&h, 1, &o);
	cpu = cache_cpu_new(s);
	for (int pass = 0; pass < 3; pass++)
		for (uint64_t line = 0; line < 1000; line++)
			cache_access(cpu, &line, 1, true, 0, 0);
	assert_true(cache_sim_counts(s, 0, 0).writebacks > 1000);
	assert_int_equal(cache_sim_counts(s, 0, 1).writebacks, 0);
	assert_int_equal(cache_sim_counts(s, 0, 1).misses, 500);
	cache_sim_free(s);
}
