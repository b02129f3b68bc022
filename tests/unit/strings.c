/* Forms whose addresses and counts are in fixed registers: string instructions,
 * XLAT, LOOP, JRCXZ. */
#include "host/isa/instance.h"
#include "tests/unit/peers.h"
#include "tests/unit/unit.h"

enum { RAX = 0, RCX = 1, RBX = 3, RSI = 6, R14 = 14 };

struct found {
	const char *names[64];
	size_t n;
};

static void note(const struct all *w, const struct instance *in, void *context)
{
	struct found *t = context;

	(void)w;
	if (t->n < ARRAY_LEN(t->names))
		t->names[t->n++] = in->form ? in->form->name : "?";
}

/* The pointers are set before each instruction, so that none leaves the memory.
 */
TEST(pointers_are_set_for_each)
{
	static const struct {
		const char *label, *opcode;
		const char *before[2];
	} rows[] = {
		{ "throughput:LODSB/mov", "LODSB", { "MOV64rr" } },
		{ "throughput:STOSQ/mov", "STOSQ", { "LEA64r/r64,disp32" } },
		{ "throughput:MOVSW/mov",
		  "MOVSW",
		  { "MOV64rr", "LEA64r/r64,disp32" } },
		{ "throughput:CMPSL/mov",
		  "CMPSL",
		  { "MOV64rr", "LEA64r/r64,disp32" } },
		{ "throughput:SCASB/mov", "SCASB", { "LEA64r/r64,disp32" } },
	};
	SCOPED(done) struct all w = { .c = catalogue_of("x86_64") };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct found t = { .n = 0 };
		struct kernel_row k;
		SCOPED(gen_end)
		struct gen *g = one_kernel(&w, rows[i].label, &k);
		size_t n = rows[i].before[1] ? 3 : 2;

		walk(&w, &k, note, &t);
		for (size_t op = 0; op < 2; op++) {
			for (size_t b = 0; b + 1 < n; b++)
				assert_string_equal(t.names[op * n + b],
						    rows[i].before[b]);
			assert_int_equal(strncmp(t.names[op * n + n - 1],
						 rows[i].opcode, 5),
					 0);
		}
		/* In the middle of the memory, a kilobyte from its end. */
		assert_int_equal(k.image->gpr_is_memory, 1u << R14);
		assert_true(k.image->gpr[R14] == 2048);
		assert_int_equal(k.instructions, n);
	}
}

/* XLAT has a table of its own in the kernel, and indices inside it. */
TEST(a_table_is_the_memory)
{
	SCOPED(done) struct all w = { .c = catalogue_of("x86_64") };
	struct kernel_row k;
	struct gen *g;

	assert_status(w.c, "XLAT", FORM_MEASURABLE);
	g = one_kernel(&w, "latency:XLAT@AL>AL", &k);
	assert_int_equal(k.image->gpr_is_memory, 1u << RBX);
	assert_true(k.image->gpr[RAX] < 256);
	gen_free(g);
}

TEST(counts_decide_branches)
{
	static const struct {
		const char *label;
		uint64_t rcx;
	} rows[] = {
		{ "throughput:JRCXZ/taken", 0 },
		{ "throughput:JRCXZ/not-taken", 1 },
		{ "dependent:LOOP/taken", 1 },
		{ "throughput:LOOP/taken+~MOV64ri32", 1 },
	};
	SCOPED(done) struct all w = { .c = catalogue_of("x86_64") };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct kernel_row k;
		SCOPED(gen_end)
		struct gen *g = one_kernel(&w, rows[i].label, &k);

		assert_true(k.image->gpr[RCX] == rows[i].rcx);
	}
}

/* Repeated string instructions have no fixed length, and the base register is
 * not a result. */
TEST(what_is_left)
{
	static const char *const refused[] = { "LODSB", "MOVSQ", "REP_MOVSB_64",
					       "REP_STOSQ_64", "MASKMOVDQU64" };
	SCOPED(done)
	struct all w = plan_of("x86_64",
			       "^(LODS|MOVS|STOS|SCAS|CMPS).(/mov)?$|^XLAT$");

	for (size_t i = 0; i < ARRAY_LEN(refused); i++)
		assert_status(w.c, refused[i], FORM_MEMORY);
	for (size_t i = 0; i < w.n; i++)
		assert_false(strchr(w.list[i].steps[0].form->name, '/') &&
			     w.list[i].kind == EXPERIMENT_LATENCY);
}
