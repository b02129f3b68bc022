/* Sizes of buffers from chains with fillers, and slots of an indexed address:
 * the parameters of a simulated machine are recovered, and claims of half its
 * size are refused. */
#include <math.h>

#include "host/experiment/experiment.h"
#include "host/isa/windows.h"
#include "host/solve/judge.h"
#include "tests/unit/record.h"
#include "tests/unit/unit.h"

enum { MAX = 64, GROUPS = EXPERIMENT_WINDOW_GROUPS, OF_A_GROUP = 4 };

static const double latency = 12;

struct bench {
	struct arena a;
	struct record records[MAX];
	char labels[MAX][64];
	size_t n;
	struct claim claims[MAX];
	size_t n_claims;
};

static void add(struct bench *b, const char *label, double cycles)
{
	assert_true(b->n < MAX);
	(void)snprintf(b->labels[b->n], sizeof(b->labels[b->n]), "%s", label);
	b->records[b->n] = record_of(&b->a, b->n, b->labels[b->n], cycles);
	b->n++;
}

static int keep(void *context, struct claim *c, struct err *e)
{
	struct bench *b = context;

	(void)e;
	b->claims[b->n_claims++] = *c;
	return 0;
}

static const struct isa_window lines[] = {
	{ ISA_LOAD_BUFFER, "L" },
	{ ISA_LOAD_BUFFER, "M" },
	{ ISA_REORDER_BUFFER, "N" },
	{ ISA_REORDER_BUFFER, "X" },
	{ ISA_REORDER_BUFFER, "Y" },
	{ ISA_VECTOR_REGISTERS, "V" },
	{ ISA_VECTOR_REGISTERS, "W" },
	{ ISA_VECTOR_REGISTERS, "U" },
	{ NULL, NULL },
};

static const struct isa_windows windows = { .chain = "C@1>0", .list = lines };

static const struct claim *judge(struct bench *b, const char *kind)
{
	struct judge_sink sink = { .max_width = 12,
				   .windows = &windows,
				   .slot = "S",
				   .each = keep,
				   .context = b };
	struct err e = { .code = ERR_OK };

	b->n_claims = 0;
	assert_ok(judge_records(&b->a, b->records, b->n, &sink, &e), &e);
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].kind, kind) == 0)
			return &b->claims[i];
	return NULL;
}

/* Cycles between the starts of consecutive chains on a core with this many
 * entries, simulated instruction by instruction. */
static double play(unsigned fillers, unsigned size, bool all, double late)
{
	enum { CHAINS = 12, MOST = CHAINS * GROUPS * (128 + OF_A_GROUP) };
	static double retired[MOST];
	double chain = 0, last = 0, begin = 0, before = 0;
	size_t n = 0;

	for (unsigned c = 0; c < CHAINS; c++)
		for (unsigned g = 0; g < GROUPS; g++)
			for (unsigned k = 0; k < OF_A_GROUP + fillers; k++) {
				bool takes = all || k >= OF_A_GROUP;
				double free = takes && n >= size
						      ? retired[n - size] + late
						      : 0;
				double done = free;

				if (k < OF_A_GROUP) {
					bool first = g == 0 && k == 0;
					/* Entries are released in program
					 * order. */
					double at =
						n > 0 && n >= size
							? retired[n - size] +
								  late
							: 0;
					double from = first ? at : chain;

					if (first) {
						before = begin;
						begin = at;
					}
					chain = fmax(from, free) + latency;
					done = chain;
				}
				last = fmax(last, done);
				if (takes)
					retired[n++] = last;
			}
	return begin - before;
}

static const unsigned numbers[] = {
	14, 18, 22, 26, 30, 36, 40, 45, 50, 56, 62
};
static const unsigned few[] = { 8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 22 };

static void add_line(struct bench *b, const char *filler, unsigned size,
		     bool all, double late)
{
	char label[64];

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		unsigned n = all ? numbers[i] : few[i];
		double cycles = play(n, size, all, late);

		(void)snprintf(label, sizeof(label), "window:4xC@1>0+~%ux%s", n,
			       filler);
		add(b, label, fmin(cycles, latency * OF_A_GROUP * GROUPS));
	}
	(void)snprintf(label, sizeof(label), "throughput:%s", filler);
	add(b, label, 0.5);
}

static void open(struct bench *b, double width)
{
	*b = (struct bench){ .n = 0 };
	add(b, "mix:N", 1 / width);
	add(b, "latency:C@1>0", latency);
	add(b, "window:4xC@1>0", latency * OF_A_GROUP * GROUPS / 2);
}

TEST(size_is_found)
{
	static const unsigned sizes[] = { 180, 224, 352, 512 };

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		for (double late = 0; late <= 24; late += 12) {
			struct bench b;
			const struct claim *c;

			open(&b, 5);
			add_line(&b, "N", sizes[i], true, late);
			add_line(&b, "X", sizes[i], true, late);
			c = judge(&b, ISA_REORDER_BUFFER);
			assert_non_null(c);
			if (c->has_value) {
				assert_string_equal(claim_verdict(c), "ok");
				assert_true(c->low_cycles <= sizes[i]);
				assert_true(c->high_cycles >= sizes[i]);
			}
			if (sizes[i] == 352) {
				assert_true(c->has_value);
				c = judge(&b, ISA_WINDOW_START);
				assert_non_null(c);
				assert_true(c->low_cycles <= late + 1 &&
					    c->high_cycles >= late - 1);
			}
			arena_free(&b.a);
		}
}

TEST(half_and_whole_give_no_size)
{
	struct bench b;
	const struct claim *c;

	open(&b, 5);
	add_line(&b, "N", 176, true, 12);
	add_line(&b, "X", 176, true, 12);
	add_line(&b, "Y", 352, true, 12);
	c = judge(&b, ISA_REORDER_BUFFER);
	assert_non_null(c);
	assert_false(c->has_value);
	arena_free(&b.a);
}

/* Registers are not halved by an active sibling, which takes as many as it
 * needs.  So the size on which two kinds of fillers agree may be too small; the
 * largest size seen must be inside the claimed interval. */
TEST(registers_of_a_sibling_are_counted)
{
	struct bench b;
	const struct claim *c;

	open(&b, 5);
	add_line(&b, "N", 352, true, 12);
	add_line(&b, "X", 352, true, 12);
	add_line(&b, "V", 164, true, 12);
	add_line(&b, "W", 164, true, 12);
	add_line(&b, "U", 180, true, 12);
	c = judge(&b, ISA_VECTOR_REGISTERS);
	assert_non_null(c);
	assert_true(c->has_value);
	assert_string_equal(claim_verdict(c), "ok");
	assert_true(c->low_cycles <= 180 && c->high_cycles >= 180);
	arena_free(&b.a);
}

/* A sibling that always holds half the entries also takes half the slots. */
TEST(half_of_a_core_is_refused)
{
	struct bench b;
	const struct claim *c;

	open(&b, 2.5);
	add_line(&b, "N", 352, true, 12);
	add_line(&b, "X", 352, true, 12);
	c = judge(&b, ISA_REORDER_BUFFER);
	assert_non_null(c);
	assert_false(c->has_value);
	arena_free(&b.a);
}

enum { SINGLE = 4, SLOT_MIXES = 6 };

/* One access with 3 to 6 others, two with 3, three with one; 0: none. */
static void add_slots(struct bench *b, const double cycles[SLOT_MIXES])
{
	for (int i = 0; i < SINGLE; i++) {
		char label[64];

		(void)snprintf(label, sizeof(label), "mix:V/index+%dxS", 3 + i);
		add(b, label, cycles[i]);
	}
	if (cycles[SINGLE] > 0)
		add(b, "mix:2xV/index+3xS", cycles[SINGLE]);
	if (cycles[SINGLE + 1] > 0)
		add(b, "mix:3xV/index+S", cycles[SINGLE + 1]);
}

static double judged(struct bench *b, const char *kind, double without)
{
	const struct claim *c = judge(b, kind);

	return c ? c->low_cycles : without;
}

TEST(slots_of_an_index)
{
	static const struct {
		double cycles[SLOT_MIXES];
		double slots, room, before; /* 0: no value */
		double slot, alone;
	} rows[] = {
		{ { 0.8, 1, 1.2, 1.4 }, 1, 1, 5, 0.2, 0.25 },
		/* ADDPDrm and VADDPDYrm on a Granite Rapids server. */
		{ { 0.6887, 0.8299, 1.032, 1.153 }, 1, 1, 6, 1.0 / 6, 0.25 },
		{ { 1, 0.9901, 1.372, 1.466 }, 2, 4, 6, 1.0 / 6, 0.25 },
		/* Two in a cycle, where room for four allows one. */
		{ { 1, 1, 1.333, 1.5, 1.5, 1.5 }, 2, 3, 3, 1.0 / 6, 0.25 },
		{ { 1, 1, 1.333, 1.5, 1.5, 1.33 }, 2, 2, 3, 1.0 / 6, 0.25 },
		/* The accesses themselves are as slow as three of them. */
		{ { 1, 1, 1.333, 1.5, 1.5, 1.5 }, 2, 3, 3, 1.0 / 6, 0.5 },
		{ { 1, 1, 1.333, 1.5, 2, 2 }, 2, 4, 6, 1.0 / 6, 0.25 },
		/* In any of five, and in the first four. */
		{ { 1, 1.2, 1.4, 1.6 }, 2, 1, 5, 0.2, 0.25 },
		{ { 1, 1.325, 1.503, 1.995 }, 2, 3, 5, 0.2, 0.25 },
		/* Two of the mixed instructions count as one, or another limit
		 * applies. */
		{ { 0.5, 0.6, 0.7, 0.8 }, 0, 0, 0, 0.2, 0.25 },
		{ { 1.3, 1.3, 1.3, 1.4 }, 0, 0, 0, 0.2, 0.25 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct bench b = { .n = 0 };
		const struct claim *c;

		add(&b, "mix:N", rows[i].slot);
		add(&b, "throughput:V", rows[i].alone);
		add_slots(&b, rows[i].cycles);
		c = judge(&b, "slots");
		assert_non_null(c);
		assert_string_equal(c->form, "V/index");
		assert_int_equal(c->has_value, rows[i].slots > 0);
		if (c->has_value) {
			assert_true(c->low_cycles == rows[i].slots);
			assert_true(judged(&b, "slots-room", 1) ==
				    rows[i].room);
			assert_true(judged(&b, "slots-before",
					   round(1 / rows[i].slot)) ==
				    rows[i].before);
		}
		arena_free(&b.a);
	}
}
