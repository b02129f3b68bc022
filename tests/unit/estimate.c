/* Flow between blocks, walks, and estimates of a program that is written down
 * here: counts, cycles and reports. */
#include <math.h>

#include "host/base/json.h"
#include "host/estimate/print.h"
#include "host/estimate/walk.h"
#include "host/isa/isa.h"
#include "tests/unit/html_check.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

/* for (i = 0; i < 10; i++) for (j = 0; j < 13; j++) body
 *
 *	0x1000	head	10 times	falls
 *	0x1002	body	130 times	jumps to itself or falls
 *	0x100a	tail	10 times	jumps to head or falls
 *	0x100e	end	1 time		returns */
enum { HEAD, BODY, TAIL, END, N_BLOCKS };

static const unsigned char code[] = {
	0x31, 0xc9,                         /* xor %ecx, %ecx */
	0x48, 0x03, 0x04, 0xcf, 0xff, 0xc1, /* add (%rdi,%rcx,8), %rax; inc */
	0x75, 0xf8,                         /* jne body */
	0xff, 0xca, 0x75, 0xf2,             /* dec %edx; jne head */
	0xc3,
};

static const uint8_t sizes[N_BLOCKS][3] = {
	{ 2 }, { 4, 2, 2 }, { 2, 2 }, { 1 }
};

static const uint64_t misses[3] = { 40, 8, 2 };

static const struct profile_access a_load = {
	.executions = 130,
	.bytes = 130 * 8,
	.lines = 130,
	.loads = true,
	.misses = misses,
};

static const struct profile_block blocks[N_BLOCKS] = {
	[HEAD] = { .address = 0x1000,
		   .count = 10,
		   .code = code,
		   .n_code = 2,
		   .n_insns = 1,
		   .sizes = sizes[0],
		   .falls = true,
		   .symbol = "f" },
	[BODY] = { .address = 0x1002,
		   .count = 130,
		   .code = code + 2,
		   .n_code = 8,
		   .n_insns = 3,
		   .sizes = sizes[1],
		   .target = 0x1002,
		   .falls = true,
		   .symbol = "f",
		   .symbol_offset = 2,
		   .n_accesses = 1,
		   .accesses = &a_load },
	[TAIL] = { .address = 0x100a,
		   .count = 10,
		   .code = code + 10,
		   .n_code = 4,
		   .n_insns = 2,
		   .sizes = sizes[2],
		   .target = 0x1000,
		   .falls = true,
		   .symbol = "f",
		   .symbol_offset = 10 },
	[END] = { .address = 0x100e,
		  .count = 1,
		  .code = code + 14,
		  .n_code = 1,
		  .n_insns = 1,
		  .sizes = sizes[3],
		  .symbol = "f",
		  .symbol_offset = 14 },
};

static const uint32_t first_level[] = { 0, 3 };

static const struct profile profile = {
	.n_blocks = N_BLOCKS,
	.blocks = blocks,
	.n_levels = 3,
	.first_level = first_level,
	.line_bytes = 64,
	.instructions = 10 + 390 + 20 + 1,
	.accesses = 130,
	.lines = 130,
	.bytes = 130 * 8,
	.notes = "",
};

TEST(flow)
{
	static const struct flow_edge expected[] = {
		{ HEAD, BODY, 10, 10 }, { BODY, BODY, 120, 120 },
		{ BODY, TAIL, 10, 10 }, { TAIL, HEAD, 9, 9 },
		{ TAIL, END, 1, 1 },
	};
	SCOPED(arena_free) struct arena a = { 0 };
	struct flow f;

	flow_open(&a, &profile, &f);
	assert_int_equal(f.n_edges, ARRAY_LEN(expected));
	for (size_t i = 0; i < f.n_edges; i++) {
		const struct flow_edge *x = &f.edges[i], *y = &expected[i];

		assert_int_equal(x->from, y->from);
		assert_int_equal(x->to, y->to);
		/* The callers of a function are not known: they may be the
		 * only way into head. */
		assert_true(x->least <= y->least && y->most <= x->most);
		if (x->from == BODY || x->from == HEAD)
			assert_true(x->least == y->least && x->most == y->most);
	}
	assert_int_equal(flow_block_at(&profile, 0x100a), TAIL);
	assert_int_equal(flow_block_at(&profile, 0x1003), FLOW_NONE);
}

/* The walk has the run's shares: 13 of body for one of head. */
TEST(walk)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct flow f;
	struct walk w;
	size_t n[N_BLOCKS] = { 0 };

	flow_open(&a, &profile, &f);
	walk_from(&a, &f, BODY, &w);
	assert_true(w.repeats);
	assert_true(w.n_insns <= WALK_INSNS);
	for (size_t i = 0; i < w.n; i++)
		n[w.blocks[i]]++;
	assert_true(n[HEAD] > 0);
	assert_true(fabs((double)n[BODY] / (double)n[HEAD] - 13) < 0.5);
	assert_true(n[HEAD] <= n[TAIL] + 1 && n[TAIL] <= n[HEAD] + 1);
	/* Every way but the fall from head to body and from body to tail. */
	assert_true(n[BODY] - n[HEAD] <= w.n_taken + 1);
	/* All of it lies in one line, which each jump fetches again. */
	assert_false(w.simple);
	assert_int_equal(w.n_lines, w.n_taken);
}

/* The same code 59 bytes further, so that body goes on in the next line. */
TEST(walk_lines)
{
	enum { SHIFT = 0x3b };
	struct profile_block shifted[N_BLOCKS];
	struct profile p = profile;
	SCOPED(arena_free) struct arena a = { 0 };
	struct flow f;
	struct walk w;
	size_t n[N_BLOCKS] = { 0 };

	memcpy(shifted, blocks, sizeof(shifted));
	p.blocks = shifted;
	for (size_t i = 0; i < N_BLOCKS; i++) {
		shifted[i].address += SHIFT;
		if (shifted[i].target)
			shifted[i].target += SHIFT;
	}
	flow_open(&a, &p, &f);
	walk_from(&a, &f, BODY, &w);
	for (size_t i = 0; i < w.n; i++)
		n[w.blocks[i]]++;
	assert_true(n[BODY] > 0);
	/* Two lines for each body; the first also has head, which falls into
	 * it, and the second tail. */
	assert_true(w.n_lines == 2 * n[BODY] || w.n_lines == 2 * n[BODY] + 1);
	/* A loop without one inside. */
	shifted[BODY].target = shifted[HEAD].address;
	shifted[HEAD].count = shifted[BODY].count;
	shifted[BODY].falls = false;
	flow_open(&a, &p, &f);
	walk_from(&a, &f, BODY, &w);
	assert_true(w.simple);
	assert_int_equal(w.n, 2);
	assert_int_equal(w.n_taken, 1);
	assert_int_equal(w.n_lines, 2);
}

static bool place(void *context, uint32_t number, uint32_t *ret_block,
		  uint32_t *ret_access)
{
	(void)context;
	*ret_block = BODY;
	*ret_access = 0;
	return number == 7;
}

static const struct cache_hierarchy hierarchy = {
	.name = "a \"b\" <c>",
	.n_levels = 3,
	.levels = { { "l1", 4096, 64, 4, false, 4, 0, 0 },
		    { "l2", 65536, 64, 8, false, 14, 0, 0 },
		    { "l3", 1 << 20, 64, 16, true, 50, 0, 0 } },
	.memory_latency = 300,
};

static const struct cache_counts counts[CACHE_MAX_LEVELS] = {
	{ 130, 40, 10, 20, 10, 0 },
	{ 40, 8, 8, 0, 0, 1 },
	{ 8, 2, 2, 0, 0, 0 },
};

static struct estimate_input input_of(struct world *w, struct completion *k,
				      struct cache_record *records,
				      struct estimate_sample *sample)
{
	static const uint32_t entries[] = { 1, 2, 64 };

	for (uint32_t i = 0; i < 130; i++)
		records[i] = (struct cache_record){
			.line = 1000 + i * 77 % 130,
			.now = i * 3 + i / 13 * 3,
			.levels = i < 2    ? 3
				  : i < 8  ? 2
				  : i < 40 ? 1
					   : 0,
			.place = 7,
		};
	*sample = (struct estimate_sample){ 130, 0, records };
	return (struct estimate_input){
		.p = &profile,
		.c = w->c,
		.k = k,
		.n_hierarchies = 1,
		.hierarchies = &hierarchy,
		.counts = counts,
		.n_samples = 1,
		.samples = sample,
		.unit_bytes = 64,
		.place = place,
		.n_mshr = ARRAY_LEN(entries),
		.mshr = entries,
	};
}

static void check_estimate(const struct program_estimate *x)
{
	const struct estimate_hierarchy *h = &x->hierarchies[0];
	double core = 0, memory = 0;

	assert_int_equal(x->n_traced, 1);
	assert_int_equal(x->n_blocks, N_BLOCKS);
	assert_int_equal(x->blocks[0].block, BODY);
	for (size_t i = 0; i < x->n_blocks; i++) {
		core += x->blocks[i].core;
		memory += x->blocks[i].memory[0];
	}
	assert_true(fabs(core - x->core_cycles) < 1e-6);
	assert_true(fabs(core + memory - h->cycles) < 1e-6);
	/* The sums of a row go through rax. */
	assert_true(x->core_cycles >= 130);
	/* Independent loads: less than all of their latencies.  The longest
	 * one outlasts the window. */
	assert_true(memory > 50);
	assert_true(memory < 32 * 10 + 6 * 46 + 2 * 296);
	assert_true(fabs(h->ipc - 421 / h->cycles) < 1e-9);
	assert_true(h->mshr[0].stall_cycles > h->mshr[1].stall_cycles);
	assert_true(h->mshr[2].stall_cycles == 0);
	assert_true(h->entries_needed >= 2);
	assert_true(h->levels[1].bytes == 64 * 9);
}

static void check_json(struct arena *a, const struct buffer *b, struct err *e)
{
	struct json j = { .a = a,
			  .path = "estimate",
			  .at = (const char *)b->bytes,
			  .end = (const char *)b->bytes + b->n,
			  .line = 1,
			  .e = e };

	assert_true(json_skip(&j) && json_end(&j));
}

/* Records in the order of lines: a stream of 64 lines of a page and the next.
 * Fetching in advance hides a part of their latency, and each line that the
 * first level gets costs the cycles of a fill. */
static void check_prefetch(struct world *w, struct estimate_input in)
{
	static struct cache_record records[130];
	struct estimate_sample sample = { 130, 0, records };
	struct cache_hierarchy h[3] = { hierarchy, hierarchy, hierarchy };
	struct program_estimate x[3];
	struct err e = { 0 };

	memcpy(records, in.samples[0].records, sizeof(records));
	for (uint32_t i = 0; i < 130; i++) {
		records[i].line = 64000 + i;
		/* Farther apart than the window reaches. */
		records[i].now = 60 * i;
		records[i].levels = 3;
	}
	in.samples = &sample;
	h[1].prefetches = true;
	h[2].fill_cycles = 0.5;
	for (int i = 0; i < 3; i++) {
		in.hierarchies = &h[i];
		assert_int_equal(estimate_run(&w->a, &in, &x[i], &e), ERR_OK);
	}
	assert_true(x[0].hierarchies[0].memory_cycles > 0);
	assert_true(x[1].hierarchies[0].memory_cycles <
		    x[0].hierarchies[0].memory_cycles);
	assert_true(x[2].hierarchies[0].memory_cycles >
		    x[0].hierarchies[0].memory_cycles);
}

TEST(estimate)
{
	static const struct row rows[] = {
		{ "XOR32rr", "0|1", 1, { { 0 } }, false },
		{ "ADD64rm", "0|1", 1, { { 0 } }, false },
		{ "INC32r", "0|1", 1, { { 0 } }, false },
		{ "DEC32r", "0|1", 1, { { 0 } }, false },
	};
	static struct cache_record records[130];
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1", rows);
	struct estimate_sample sample;
	struct estimate_input in;
	struct program_estimate x;
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };

	in = input_of(&w, model_complete(&w.a, w.c, w.m, NULL), records,
		      &sample);
	assert_int_equal(estimate_run(&w.a, &in, &x, &e), ERR_OK);
	check_estimate(&x);
	estimate_print_json(&b, &x, 10);
	check_json(&w.a, &b, &e);
	b.n = 0;
	estimate_print_csv(&b, &x, 0);
	buffer_add(&b, "", 1);
	assert_part((char *)b.bytes,
		    "\n\"a \"\"b\"\" <c>\",l1,4096,64,4,130,130,40,"
		    "10,20,10,0,");
	b.n = 0;
	estimate_print_html(&b, &x, 10);
	assert_null(html_check((const char *)b.bytes, b.n));
	buffer_add(&b, "", 1);
	assert_part((char *)b.bytes, "a &quot;b&quot; &lt;c&gt;");
	check_prefetch(&w, in);
	/* Without a model there are counts and no cycles. */
	in.k = NULL;
	assert_int_equal(estimate_run(&w.a, &in, &x, &e), ERR_OK);
	assert_int_equal(x.n_traced, 0);
	assert_true(x.core_cycles == 0);
}
