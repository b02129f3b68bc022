/* The part of the last level that other programs leave. */
#include "host/cache/caches.h"
#include "host/estimate/inner.h"
#include "tests/unit/unit.h"

enum {
	MIB = 1 << 20,
	ALL = 64, /* MiB of the level */
	N = CACHES_PARTS + 2,
	LAST = 1,
	ACCESSES = 1000 * 1000,
};

/* A hierarchy, the parts of a shared level, and a hierarchy. */
struct bench {
	struct arena a;
	struct cache_hierarchy h[N];
	struct estimate_hierarchy times[N];
	struct estimate_block block;
	struct program_estimate x;
};

/* The program asks for a line every `cycles` cycles; others bring `rate` bytes
 * per cycle. */
static void bench_open(struct bench *b, double cycles, double rate)
{
	*b = (struct bench){ .block = { .core = 1 } };
	b->block.memory = ARENA_ARRAY(&b->a, double, N);
	b->block.branches = ARENA_ARRAY(&b->a, double, N);
	for (size_t i = 0; i < N; i++) {
		bool part = i > 0 && i + 1 < N;
		unsigned k = part ? (unsigned)i - 1 : 0;
		struct cache_level *l = &b->h[i].levels[LAST];

		b->h[i].n_levels = LAST + 1;
		l->line_bytes = 64;
		l->bytes = (uint64_t)ALL * MIB * (k % 2 ? 3 : 4) / 4 >> k / 2;
		if (part) {
			b->h[i].others_bytes = rate;
			b->h[i].shared_bytes = (uint64_t)ALL * MIB;
		}
		b->times[i].caches = &b->h[i];
		b->times[i].simulated = (uint32_t)i;
		b->times[i].tlb = (uint32_t)i % 2;
		b->times[i].levels[LAST].counts.accesses = ACCESSES;
		b->times[i].cycles = ACCESSES * cycles;
		b->block.memory[i] = (double)i;
		b->block.branches[i] = 10.0 * (double)i;
	}
	b->x = (struct program_estimate){ .n_hierarchies = N,
					  .n_traced = N,
					  .hierarchies = b->times,
					  .n_blocks = 1,
					  .blocks = &b->block };
}

TEST(parts)
{
	/* What is left: all of it, a half, a quarter, a 33rd, less than the
	 * smallest part. */
	static const struct {
		double cycles, rate;
		size_t part;
	} cases[] = {
		{ 1, 0.001, 0 }, { 8, 8, 2 },      { 8, 24, 4 },
		{ 32, 64, 10 },  { 1000, 64, 12 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t k = 1 + cases[i].part;
		struct bench b;

		bench_open(&b, cases[i].cycles, cases[i].rate);
		others_choose(&b.x);
		assert_int_equal(b.x.n_hierarchies, 3);
		assert_int_equal(b.x.n_traced, 3);
		assert_ptr_equal(b.times[1].caches, &b.h[k]);
		assert_int_equal(b.times[0].simulated, 0);
		assert_int_equal(b.times[1].simulated, k);
		assert_int_equal(b.times[2].simulated, N - 1);
		assert_int_equal(b.times[1].tlb, k % 2);
		assert_int_equal(b.times[2].levels[LAST].counts.accesses,
				 ACCESSES);
		assert_true(b.block.memory[1] == (double)k);
		assert_true(b.block.branches[2] == 10.0 * (N - 1));
		arena_free(&b.a);
	}
}

/* A larger part is faster: the one that agrees with its own speed counts. */
TEST(own_speed)
{
	struct bench b;

	bench_open(&b, 8, 8);
	/* With less than a half 64 cycles for each line: a ninth. */
	for (size_t k = 3; k < CACHES_PARTS; k++)
		b.times[1 + k].cycles = 64.0 * ACCESSES;
	/* With a half and more 32: a fifth, which is less. */
	for (size_t k = 0; k < 3; k++)
		b.times[1 + k].cycles = 32.0 * ACCESSES;
	others_choose(&b.x);
	/* An eighth is the closest to a ninth. */
	assert_int_equal(b.times[1].simulated, 1 + 6);
	arena_free(&b.a);
}

/* Without times of all parts every part stays. */
TEST(no_times)
{
	struct bench b;

	for (size_t n = 0; n <= CACHES_PARTS; n += CACHES_PARTS) {
		bench_open(&b, 8, 8);
		b.x.n_traced = n;
		others_choose(&b.x);
		assert_int_equal(b.x.n_hierarchies, N);
		assert_int_equal(b.x.n_traced, n);
		arena_free(&b.a);
	}
}
