/* Files of caches: the shipped ones, grids, and the message of each mistake. */
#include <unistd.h>

#include "host/base/file.h"
#include "host/cache/caches.h"
#include "tests/unit/unit.h"

#define EXAMPLES TEST_SOURCE_DIR "/examples/caches/"

/* Two levels; text before it shifts its lines. */
#define L1   "l1.size = 32K\nl1.ways = 8\nl1.latency = 4\n"
#define L2   "l2.size = 1M\nl2.ways = 16\nl2.latency = 14\n"
#define REST "memory.latency = 300\n"
#define TLB1 "tlb1.entries = 96\ntlb1.ways = full\npage.walk = 40\n"

static int read_text(struct arena *a, const char *text, struct caches *list,
		     struct err *e)
{
	char path[] = "/tmp/anechoic-caches-XXXXXX";
	int fd = mkstemp(path);
	int ret;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	(void)close(fd);
	ret = caches_read(a, path, list, e);
	(void)unlink(path);
	return ret;
}

TEST(examples)
{
	static const char *const names[] = { "neoverse-v2",
					     "golden-cove",
					     "zen4",
					     "spacemit-x60",
					     "a64fx",
					     "gopalakrishna-2025-cfg1",
					     "gopalakrishna-2025-cfg2",
					     "gopalakrishna-2025-cfg3",
					     "gopalakrishna-2025-cfg4",
					     "grid",
					     "granite-rapids-vm" };
	SCOPED(arena_free) struct arena a = { 0 };
	struct caches list = { 0 };
	struct err e = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_ok(caches_read(&a,
				      arena_printf(&a, EXAMPLES "%s.conf",
						   names[i]),
				      &list, &e),
			  &e);
	assert_int_equal(list.n, 10 + 12);
	assert_string_equal(list.at[1].name, "golden-cove");
	assert_int_equal(list.at[1].n_levels, 3);
	assert_int_equal(list.at[1].levels[2].bytes, 105 << 20);
	assert_true(list.at[1].levels[2].shared);
	assert_int_equal(list.at[1].levels[0].mshr, 16);
	assert_true(list.at[1].prefetches);
	assert_int_equal(list.at[4].levels[0].line_bytes, 256);
	assert_true(list.at[4].memory_bytes == 128);
	assert_string_equal(list.at[9].name, "grid l1.size=16K l1.ways=2");
	assert_string_equal(list.at[20].name, "grid l1.size=128K l1.ways=8");
	assert_int_equal(list.at[20].levels[0].bytes, 128 << 10);
	assert_int_equal(list.at[20].levels[0].ways, 8);
	assert_int_equal(list.at[21].tlb.n_levels, 2);
	assert_int_equal(list.at[21].tlb.walk, 59);
	assert_int_equal(list.at[21].core.history, 193);
}

TEST(full)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct caches list = { 0 };
	struct err e = { 0 };

	assert_ok(read_text(&a,
			    "l1.size = 4K, 8K\nl1.ways = full\n"
			    "l1.latency = 1\n" REST
			    "memory.bandwidth = 10.25\n",
			    &list, &e),
		  &e);
	assert_int_equal(list.n, 2);
	assert_int_equal(list.at[0].levels[0].ways, 64);
	assert_int_equal(list.at[1].levels[0].ways, 128);
	assert_int_equal(cache_level_sets(&list.at[1].levels[0]), 1);
	assert_true(list.at[1].memory_bytes == 10.25);
}

TEST(others)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct caches list = { 0 };
	struct err e = { 0 };
	const struct cache_tlb *t;
	struct cache_hierarchy h;

	assert_ok(read_text(&a,
			    L1 REST TLB1 "tlb2.entries = 2048\n"
					 "tlb2.ways = 16\n"
					 "tlb2.latency = 7\n"
					 "page.walkers = 4\n"
					 "page.interval = 21\n"
					 "tlb1.fill = 0.5\n"
					 "queue.vectors = 64\n"
					 "page.contiguous = 16K\n"
					 "page.scattered = 30\n"
					 "l1.index = physical\n"
					 "branch.loop = 34\n"
					 "l1.fill = 0.25\n"
					 "l1.write = 2.5\n"
					 "branch.penalty = 17\n",
			    &list, &e),
		  &e);
	assert_int_equal(list.at[0].pages.contiguous, 16384);
	assert_int_equal(list.at[0].pages.scattered, 30);
	assert_true(list.at[0].pages.first);
	t = &list.at[0].tlb;
	assert_int_equal(t->n_levels, 2);
	assert_int_equal(t->levels[0].ways, 96);
	assert_int_equal(t->page_bytes, 4096);
	assert_int_equal(t->walk, 40);
	assert_int_equal(t->walkers, 4);
	assert_int_equal(t->interval, 21);
	assert_true(t->fill_cycles == 0.5);
	assert_int_equal(list.at[0].core.vectors, 64);
	assert_int_equal(list.at[0].core.loop, 34);
	assert_true(list.at[0].fill_cycles == 0.25);
	assert_true(list.at[0].write_cycles == 2.5);
	assert_int_equal(list.at[0].branch_penalty, 17);
	assert_int_equal(list.at[0].core.history, 128);
	h = cache_tlb_levels(t);
	assert_int_equal(h.n_levels, 2);
	assert_int_equal(cache_level_sets(&h.levels[0]), 1);
	assert_int_equal(cache_level_sets(&h.levels[1]), 128);
	assert_int_equal(h.levels[1].line_bytes, 4096);
}

/* What others leave of the last level is one of several sizes. */
TEST(parts)
{
	static const char shared[] =
		L1 "l2.size = 1M, 2M\nl2.ways = 16\nl2.latency = 14\n"
		   "l2.sharing = shared\n" REST "others.bandwidth = 2.5\n";
	SCOPED(arena_free) struct arena a = { 0 };
	struct caches list = { 0 };
	struct err e = { 0 };

	assert_int_equal(read_text(&a, shared, &list, &e), ERR_OK);
	assert_int_equal(list.n, 2 * CACHES_PARTS);
	for (size_t i = 0; i < list.n; i++) {
		uint64_t all = (uint64_t)1 << (i < CACHES_PARTS ? 20 : 21);

		assert_true(list.at[i].others_bytes == 2.5);
		assert_int_equal(list.at[i].shared_bytes, all);
	}
	assert_int_equal(list.at[0].levels[1].bytes, 1 << 20);
	assert_int_equal(list.at[1].levels[1].bytes, 3 << 18);
	assert_int_equal(list.at[2].levels[1].bytes, 1 << 19);
	assert_int_equal(list.at[CACHES_PARTS - 1].levels[1].bytes, 1 << 14);
	assert_part(list.at[1].name, " l2.size=1M, 0.75M left");
}

/* A run has one core: what one file does not say is not taken from another. */
TEST(one_core)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct caches list = { 0 };
	struct caches_simulated s;
	struct err e = { 0 };

	assert_ok(read_text(&a,
			    L1 REST "branch.penalty = 17\n"
				    "queue.loads.least = 198\n",
			    &list, &e),
		  &e);
	assert_ok(caches_simulate(&a, &list, &s, &e), &e);
	assert_int_equal(s.core.loads_least, 198);
	assert_int_equal(s.core.loads, 0);
	assert_ok(read_text(&a,
			    L1 REST "branch.penalty = 17\n"
				    "queue.loads.least = 198\n"
				    "branch.loop = 34\n",
			    &list, &e),
		  &e);
	assert_int_equal(caches_simulate(&a, &list, &s, &e), ERR_INPUT);
	assert_part(e.message, "branch.loop");
}

/* A text, and how its message ends, from the colon of the line on. */
static const struct {
	const char *text, *message;
} mistakes[] = {
	{ "l1.size = 32k\n", ":1: l1.size: expected a size like 48K or 2M, at "
			     "most 4G" },
	{ "l1.size = -1\n", ":1: l1.size: expected a size like" },
	{ "l1.size = 99999999999999999999G\n", ":1: l1.size: expected a size" },
	{ "l1.size =\n", ":1: l1.size: expected a size" },
	{ "l1.size = 32K,\n", ":1: l1.size: expected a size" },
	{ "l1.size = 8G\n", ":1: l1.size: expected a size" },
	{ "l1.line = 48\n", ":1: l1.line: expected a power of two from 16 to "
			    "4096" },
	{ "l1.ways = 0\n", ":1: l1.ways: expected a number from 1 to 4096, or "
			   "full" },
	{ "# x\n\nl1.latency = 1.5\n", ":3: l1.latency: expected cycles from 1 "
				       "to 100000" },
	{ "l1.mshr = none\n", ":1: l1.mshr: expected a number from 1 to 4096" },
	{ "l1.sharing = both\n", ":1: l1.sharing: expected private or shared" },
	{ "l1.replacement = plru\n", ":1: l1.replacement: expected lru" },
	{ "memory.bandwidth = 0\n", ":1: memory.bandwidth: expected bytes per "
				    "cycle" },
	{ "memory.bandwidth = nan\n", ":1: memory.bandwidth: expected bytes" },
	{ "others.bandwidth = -1\n", ":1: others.bandwidth: expected bytes per "
				     "cycle, e.g. 2.5" },
	{ L1 REST "others.bandwidth = 2\n",
	  ": others.bandwidth: expected l1.sharing = shared" },
	{ "prefetch = yes\n", ":1: prefetch: expected streams or none" },
	{ "tlb1.ways = none\n", ":1: tlb1.ways: expected a number from 1 to "
				"4096, or full" },
	{ "page.size = 12K\n", ":1: page.size: expected a power of two" },
	{ "page.contiguous = 12K\n",
	  ":1: page.contiguous: expected bytes, a power of two from 4K" },
	{ "page.contiguous = 4M\n",
	  ":1: page.contiguous: expected bytes, a power of two from 4K" },
	{ "page.scattered = 101\n",
	  ":1: page.scattered: expected percent, a number from 1 to 100" },
	{ L1 REST "page.scattered = 30\n",
	  ": page.scattered: expected a key 'page.contiguous', too" },
	{ "l1.index = both\n", ":1: l1.index: expected physical or virtual" },
	{ L1 REST "l1.index = physical\n",
	  ": l1.index = physical: expected a key 'page.contiguous', too" },
	{ "page.walk = 0\n", ":1: page.walk: expected cycles from 1" },
	{ L1 REST "branch.loop = 9\n", ": expected a key 'branch.penalty'" },
	{ "page.crowded = 9\n", ":1: unknown key 'page.crowded'" },
	{ "page.interval = 0\n", ":1: page.interval: expected cycles from 1" },
	{ "l1.fill = 0\n", ":1: l1.fill: expected cycles, e.g. 0.5" },
	{ "l1.write = x\n", ":1: l1.write: expected cycles, e.g. 0.5" },
	{ "l2.fill = 1\n", ":1: unknown key 'l2.fill'" },
	{ "branch.penalty = 1.5\n", ":1: branch.penalty: expected cycles" },
	{ "tlb3.entries = 4\n", ":1: unknown key 'tlb3.entries'" },
	{ L1 REST "tlb1.entries = 96\n", ": expected a key 'tlb1.ways'" },
	{ L1 REST "tlb1.entries = 96\ntlb1.ways = 6\n",
	  ": expected a key 'page.walk'" },
	{ L1 REST "page.size = 4K\n", ": expected a key 'tlb1.entries'" },
	{ L1 REST TLB1 "page.size = 64K\npage.contiguous = 16K\n",
	  ": page.contiguous: expected at least page.size" },
	{ L1 REST TLB1 "tlb2.entries = 64\ntlb2.ways = 4\n",
	  ": expected a key 'tlb2.latency'" },
	{ L1 REST TLB1 "tlb2.entries = 64\ntlb2.ways = 4\n"
		       "tlb2.latency = 41\n",
	  ": page.walk: expected at least tlb2.latency" },
	{ L1 REST "tlb1.entries = 96\ntlb1.ways = 5\npage.walk = 9\n",
	  ": tlb1.entries: expected a multiple of 5 ways" },
	{ L1 REST "tlb1.entries = 8192\ntlb1.ways = full\npage.walk = 9\n",
	  ": tlb1.entries: expected at most 4096 entries with ways = full" },
	{ L1 REST "branch.history = 9\n", ": expected a key "
					  "'branch.penalty'" },
	{ "l5.size = 1M\n", ":1: unknown key 'l5.size'" },
	{ "l1.sets = 4\n", ":1: unknown key 'l1.sets'" },
	{ "l1.bandwidth = 64\n", ":1: unknown key 'l1.bandwidth'" },
	{ "l1.keep = 50\n", ":1: unknown key 'l1.keep'" },
	{ "l2.keep = 101\n", ":1: l2.keep: expected percent from 1 to 100" },
	{ "l2.keep = 0\n", ":1: l2.keep: expected percent from 1 to 100" },
	{ "l2.bandwidth = 0\n", ":1: l2.bandwidth: expected bytes per cycle "
				"from 1 to 4096" },
	{ "l1 = 4\n", ":1: unknown key 'l1'" },
	{ "l1.size\n", ":1: expected `key = value` or a comment" },
	{ L1 "l1.size = 1M\n", ":4: key 'l1.size' is given twice" },
	{ "", ": expected a key 'l1.size'" },
	{ "l1.size = 4K\n", ": expected a key 'l1.ways'" },
	{ L1, ": expected a key 'memory.latency'" },
	{ L2 REST, ": expected a key 'l1.size'" },
	{ L1 "l3.size = 1M\n" REST, ": expected a key 'l2.size'" },
	{ "l1.size = 32K\nl1.ways = 12\nl1.latency = 1\n" REST,
	  ":1: l1.size: expected a multiple of a line of 64 bytes times 12 "
	  "ways" },
	{ "l1.size = 1M\nl1.ways = full\nl1.latency = 1\n" REST,
	  ":1: l1.size: expected at least one and at most 4096 lines in a cache "
	  "with ways = full" },
	{ "l1.size = 32\nl1.ways = full\nl1.latency = 1\n" REST,
	  ":1: l1.size: expected at least one" },
	{ L1 L2 "l2.line = 32\n" REST, ":7: l2.line: expected at least the "
				       "line of l1, 64 bytes" },
	{ "l1.line = 128\n" L1 L2 REST, ":5: l2.line: expected at least" },
	{ L1 "l2.size = 1M\nl2.ways = 16\nl2.latency = 3\n" REST,
	  ":6: l2.latency: expected at least that of l1, 4 cycles" },
	{ "l1.sharing = shared\n" L1 L2 REST,
	  ":5: l2.sharing: expected shared, as l1 is" },
	{ L1 "memory.latency = 3\n", "memory.latency: expected at least that "
				     "of the last level" },
	{ "l1.size = 1K,2K,3K,4K,5K,6K,7K,8K\n"
	  "l1.ways = 1,2,3,4,5,6,7,8,9,10,11,12\n"
	  "l1.latency = 1,2,3,4,5,6,7,8,9,10,11,12\n" REST,
	  ": expected at most 1024 hierarchies in all" },
};

TEST(mistakes)
{
	for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct caches list = { 0 };
		struct err e = { 0 };

		if (read_text(&a, mistakes[i].text, &list, &e) != ERR_INPUT)
			fail_msg("no error: %s", mistakes[i].text);
		assert_part(e.message, mistakes[i].message);
		assert_int_equal(list.n, 0);
	}
}
