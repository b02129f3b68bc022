/* What a mispredicted jump costs beyond the penalty: the time until its
 * sources are there. */
#include <math.h>

#include "host/estimate/estimate.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

enum { TIMES = 1000, PENALTY = 20, LOAD = 4 };

static const struct cache_hierarchy hierarchy = {
	.name = "h",
	.n_levels = 1,
	.levels = { { "l1", 4096, 64, 4, false, LOAD, 0, 0 } },
	.memory_latency = 300,
	.branch_penalty = PENALTY,
};

/* Cycles of a misprediction beyond the penalty, where the block is a loop
 * whose jump is mispredicted every second time. */
static double extra_of(const uint8_t *code, uint32_t n_code,
		       const uint8_t *sizes, uint32_t n_insns)
{
	static const struct row rows[] = {
		{ "IMUL64rr", "1", 3, { { 0 } }, false },
		{ "ADD64ri8", "0|1", 1, { { 0 } }, false },
		{ "TEST64rr", "0|1", 1, { { 0 } }, false },
		{ "MOV64rm", "2|3", LOAD, { { 0 } }, false },
		{ "JCC_1", "0", 1, { { 0 } }, false },
	};
	struct profile_block block = {
		.address = 0x1000,
		.count = TIMES,
		.code = code,
		.n_code = n_code,
		.n_insns = n_insns,
		.sizes = sizes,
		.target = 0x1000,
		.falls = true,
		.symbol = "f",
		.mispredicted = TIMES / 2,
	};
	static const uint32_t first_level[] = { 0 };
	struct profile profile = {
		.n_blocks = 1,
		.blocks = &block,
		.n_levels = 1,
		.first_level = first_level,
		.line_bytes = 64,
		.instructions = (uint64_t)TIMES * n_insns,
		.mispredicted = TIMES / 2,
		.notes = "",
	};
	static const struct cache_counts counts[CACHE_MAX_LEVELS];
	SCOPED(world_close)
	struct world w = WORLD_OF("x86_64", "0 1 2 3", rows);
	struct program_estimate x;
	struct err e = { 0 };
	double extra;

	w.m->width = exactly(4);

	struct estimate_input in = {
		.p = &profile,
		.c = w.c,
		.k = model_complete(&w.a, w.c, w.m, NULL),
		.n_hierarchies = 1,
		.hierarchies = &hierarchy,
		.counts = counts,
		.unit_bytes = 64,
	};

	assert_int_equal(estimate_run(&w.a, &in, &x, &e), ERR_OK);
	assert_int_equal(x.n_blocks, 1);
	assert_true(fabs(x.hierarchies[0].branch_cycles -
			 x.blocks[0].branches[0]) < 1e-6);
	extra = x.blocks[0].branches[0] / (TIMES / 2.0) - PENALTY;
	return extra;
}

/* The loop with which the penalty is measured costs no more. */
TEST(measured)
{
	static const uint8_t code[] = {
		0x48, 0x0f, 0xaf, 0xc6, /* imul %rsi, %rax */
		0x48, 0x83, 0xc0, 0x01, /* add $1, %rax */
		0x48, 0x85, 0xc0,       /* test %rax, %rax */
		0x75, 0xf3,             /* jne */
	};
	static const uint8_t sizes[] = { 4, 4, 3, 2 };
	double extra = extra_of(code, sizeof(code), sizes, ARRAY_LEN(sizes));

	assert_true(extra >= 0 && extra < 0.6);
}

/* Two loads, one of which has the address of the other, then a test: all of
 * it is waited for, less the cycle or two that an iteration takes and that
 * of the measured loop. */
TEST(loads)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x06, /* mov (%rsi), %rax */
		0x48, 0x8b, 0x10, /* mov (%rax), %rdx */
		0x48, 0x85, 0xd2, /* test %rdx, %rdx */
		0x75, 0xf5,       /* jne */
	};
	static const uint8_t sizes[] = { 3, 3, 3, 2 };
	double extra = extra_of(code, sizeof(code), sizes, ARRAY_LEN(sizes));

	assert_true(extra > 2 * LOAD + 1 - 2 - 1 - 0.1);
	assert_true(extra < 2 * LOAD + 1 - 1 - 0.5);
}

/* What the jump tests was known before. */
TEST(ready)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x06, /* mov (%rsi), %rax */
		0x48, 0x8b, 0x10, /* mov (%rax), %rdx */
		0x48, 0x85, 0xff, /* test %rdi, %rdi */
		0x75, 0xf5,       /* jne */
	};
	static const uint8_t sizes[] = { 3, 3, 3, 2 };
	double extra = extra_of(code, sizeof(code), sizes, ARRAY_LEN(sizes));

	assert_true(extra >= 0 && extra < 1);
}
