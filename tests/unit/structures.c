/* Caches found by chases, on hierarchies that host/cache simulates: each level's
 * line, size, ways and latency must be found exactly.  And what is not found. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/random.h"
#include "host/cache/sim.h"
#include "host/structures/pages.h"

enum { CORES = 40, LEAST_L1 = 2048, MEMORY = 300 };

/* ---- simulated cores -------------------------------------------------------- */

struct simulated {
	struct cache_hierarchy h;
	struct arena a;
};

static void go_round(struct cache_cpu *cpu, const uint64_t *words, uint32_t n,
		     uint32_t line)
{
	uint64_t at = words[0];

	for (uint32_t i = 0; i < n; i++) {
		uint64_t number = at / line;

		cache_access(cpu, &number, 1, false, 0, i);
		at = words[at / sizeof(*words)];
	}
	assert_true(at == words[0]);
}

/* Cycles of a load in the second round. */
static double chase_cycles(const struct simulated *s, const struct chain *c)
{
	const struct cache_options options = { .classes = false };
	size_t bytes = (size_t)chain_bytes(c);
	uint64_t *words = malloc(bytes + sizeof(*words));
	struct cache_sim *sim = cache_sim_new(&s->h, 1, &options);
	uint32_t line = cache_sim_line_bytes(sim);
	struct cache_cpu *cpu = cache_cpu_new(sim);
	double cycles = 0;

	assert_true(chain_fits(c, bytes));
	chain_fill(c, words, 0);
	go_round(cpu, words, c->places, line);
	cache_sim_forget(sim);
	go_round(cpu, words, c->places, line);
	for (uint32_t i = 0; i < s->h.n_levels; i++) {
		struct cache_counts n = cache_sim_counts(sim, 0, i);
		double next = i + 1 < s->h.n_levels ? s->h.levels[i + 1].latency
						    : s->h.memory_latency;

		if (i == 0)
			cycles += (double)n.accesses * s->h.levels[0].latency;
		cycles += (double)n.misses *
			  (next - (double)s->h.levels[i].latency);
	}
	cache_sim_free(sim);
	free(words);
	return cycles / c->places;
}

static int ask(void *context, const struct core_probe *list, size_t n,
	       struct probe_value *ret, struct err *e)
{
	(void)e;
	for (size_t i = 0; i < n; i++) {
		double cycles = chase_cycles(context, &list[i].chain);

		ret[i] = (struct probe_value){ .known = true,
					       .cycles = cycles,
					       .low = cycles,
					       .high = cycles };
	}
	return ERR_OK;
}

static uint32_t draw(uint64_t *random, uint32_t n)
{
	return (uint32_t)(random_next(random) % n);
}

/* Two or three levels; each at least four times as large as the one before, and
 * half as slow again at least. */
static void invent(uint64_t seed, struct simulated *ret)
{
	static const uint32_t ways[] = { 2, 3, 4, 6, 8, 10, 12, 16 };
	struct cache_hierarchy *h = &ret->h;
	uint64_t random = seed, bytes = LEAST_L1;
	uint32_t line = 32u << draw(&random, 3), latency = 2;

	memset(ret, 0, sizeof(*ret));
	h->n_levels = 2 + draw(&random, 2);
	h->memory_latency = MEMORY;
	for (uint32_t i = 0; i < h->n_levels; i++) {
		struct cache_level *l = &h->levels[i];
		uint64_t way;

		l->ways = ways[draw(&random, ARRAY_LEN(ways))];
		l->line_bytes = line;
		way = (bytes / line / l->ways + 1 + draw(&random, 8)) * line;
		l->bytes = way * l->ways;
		latency = latency * 3 / 2 + 1 + draw(&random, 10);
		l->latency = latency;
		bytes = 4 * l->bytes + (uint64_t)line * draw(&random, 32);
	}
}

/* ---- tests ------------------------------------------------------------------- */

static bool is_found(const struct simulated *s, const struct levels_found *f)
{
	const struct cache_hierarchy *h = &s->h;
	bool same = f->n == h->n_levels && f->line == h->levels[0].line_bytes &&
		    f->memory_low == h->memory_latency &&
		    f->memory_high == h->memory_latency;

	for (uint32_t i = 0; same && i < h->n_levels; i++)
		same = f->level[i].bytes == h->levels[i].bytes &&
		       f->level[i].ways == h->levels[i].ways &&
		       f->level[i].low_cycles == h->levels[i].latency &&
		       f->level[i].high_cycles == h->levels[i].latency;
	return same;
}

static void print_core(uint64_t seed, const struct simulated *s,
		       const struct levels_found *f)
{
	print_message("core %u: line %u, found %u\n", (unsigned)seed,
		      s->h.levels[0].line_bytes, f->line);
	for (uint32_t i = 0; i < s->h.n_levels; i++)
		print_message("  is %llu ways %u latency %u\n",
			      (unsigned long long)s->h.levels[i].bytes,
			      s->h.levels[i].ways, s->h.levels[i].latency);
	for (size_t i = 0; i < f->n; i++)
		print_message("  found %llu ways %u (%s) latency %.2f %.2f\n",
			      (unsigned long long)f->level[i].bytes,
			      f->level[i].ways,
			      f->level[i].no_ways ? f->level[i].no_ways : "-",
			      f->level[i].low_cycles, f->level[i].high_cycles);
	print_message("  memory %.2f %s\n", f->memory_low,
		      f->no_memory ? f->no_memory : "-");
}

TEST(hierarchies_are_found_exactly)
{
	static struct levels_found f;
	unsigned wrong = 0;

	for (uint64_t seed = 1; seed <= CORES; seed++) {
		struct simulated s;
		struct err e = { .code = ERR_OK };
		struct probe_oracle o = { .ask = ask, .context = &s };

		invent(seed, &s);
		o.most_bytes = 5 * s.h.levels[s.h.n_levels - 1].bytes;
		/* Room for columns of the last level. */
		if (o.most_bytes < 20 * s.h.levels[s.h.n_levels - 1].bytes)
			o.most_bytes = 20 * s.h.levels[s.h.n_levels - 1].bytes;
		assert_int_equal(chases_find(&s.a, &o, &f, &e), ERR_OK);
		if (!is_found(&s, &f)) {
			print_core(seed, &s, &f);
			wrong++;
		}
		arena_free(&s.a);
	}
	assert_int_equal(wrong, 0);
}

/* ---- translation --------------------------------------------------------------- */

/* Loads of a core with buffers for translation; nothing of caches is seen.  Those
 * of more than `answered` places have no answer. */
struct translation {
	uint32_t first, second;
	uint32_t answered;
};

static int ask_pages(void *context, const struct core_probe *list, size_t n,
		     struct probe_value *ret, struct err *e)
{
	const struct translation *t = context;

	(void)e;
	for (size_t i = 0; i < n; i++) {
		const struct chain *c = &list[i].chain;
		bool apart = c->step > 4096;
		double more = c->places <= t->first    ? 0
			      : c->places <= t->second ? 7
						       : 40;

		assert_true(chain_fits(c, 64 << 20));
		ret[i] = (struct probe_value){
			.known = c->places <= t->answered,
			.cycles = 4 + (apart ? more : 0),
		};
	}
	return ERR_OK;
}

static void find_pages_of(struct translation t, uint32_t page_bytes,
			  struct pages_found *ret)
{
	static const struct levels_found levels = {
		.line = 64,
		.n = 2,
		.level = { { .bytes = 48 << 10 }, { .bytes = 1 << 20 } },
	};
	struct probe_oracle o = { .ask = ask_pages,
				  .context = &t,
				  .most_bytes = 64 << 20,
				  .page_bytes = page_bytes,
				  .resolution = 0.04 };
	struct arena a = { 0 };
	struct err e = { .code = ERR_OK };

	assert_int_equal(pages_find(&a, &o, &levels, ret, &e), ERR_OK);
	arena_free(&a);
}

TEST(both_levels_of_buffers_are_found_and_a_walk)
{
	struct pages_found f;

	find_pages_of((struct translation){ 96, 2048, UINT32_MAX }, 4096, &f);
	assert_int_equal(f.n, 2);
	assert_in_range(f.level[0].low, 94, 96);
	assert_in_range(f.level[1].low, 2000, 2048);
	assert_null(f.no_walk);
	assert_true(f.walk_low == 40);
}

/* 7 cycles are those of the second level, as it is never full. */
TEST(a_walk_is_not_known_without_a_full_second_level)
{
	struct pages_found f;

	find_pages_of((struct translation){ 96, 1 << 20, UINT32_MAX }, 4096,
		      &f);
	assert_int_equal(f.n, 1);
	assert_non_null(f.no_walk);
	assert_true(f.walk_low == 0);
}

TEST(pages_of_no_known_size_show_nothing)
{
	struct pages_found f;

	find_pages_of((struct translation){ 96, 2048, UINT32_MAX }, 0, &f);
	assert_int_equal(f.n, 0);
	assert_string_equal(f.reason, "the size of pages is not known");
	find_pages_of((struct translation){ 96, 2048, UINT32_MAX }, 16384, &f);
	assert_int_equal(f.page_bytes, 16384);
	assert_int_equal(f.n, 2);
}

TEST(pages_without_answers_show_nothing)
{
	struct pages_found f;

	find_pages_of((struct translation){ 96, 2048, 0 }, 4096, &f);
	assert_int_equal(f.n, 0);
	assert_string_equal(f.reason, "no answer");
}

TEST(levels_that_translation_does_not_reach_are_dropped)
{
	struct levels_found f = {
		.n = 4,
		.level = { { .bytes = 32 << 10 },
			   { .bytes = 1 << 20 },
			   { .bytes = 16 << 20 },
			   { .bytes = 40 << 20, .low_cycles = 324 } },
	};
	struct arena a = { 0 };

	levels_beyond(&a, &f, UINT64_C(64) << 20);
	assert_int_equal(f.n, 4);
	assert_null(f.no_level);
	levels_beyond(&a, &f, UINT64_C(18) << 20);
	assert_int_equal(f.n, 3);
	assert_non_null(strstr(f.no_level, "beyond 18432K"));
	/* The first level always is one. */
	levels_beyond(&a, &f, 4096);
	assert_int_equal(f.n, 1);
	arena_free(&a);
}
