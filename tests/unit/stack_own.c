/* Forms that move the stack pointer: their kernels restore it, and access only
 * their own memory. */
#include "host/gen/gen.h"
#include "host/isa/instance.h"
#include "tests/unit/planned.h"

enum { MIDDLE = 2048, ONE_PAGE = 4096, MAX_CODE = 12288, LARGE = 1000000 };

struct made {
	struct arena arena;
	struct catalogue *c;
	struct gen *g;
	struct kernel_row row;
	struct instance in[MAX_CODE]; /* of the longest length */
	size_t n;
};

static void make(struct made *w, const char *label, uint32_t cycles)
{
	struct gen_profile p = gen_profile(cycles);

	memset(w, 0, sizeof(*w));
	w->c = load(&w->arena, "x86_64", NULL);
	w->g = gen_new(w->c, &p);
	add_label(w->g, w->c, label, &w->row);
	for (size_t at = 0, size; at < w->row.code_bytes[2]; at += size) {
		assert_true(w->n < MAX_CODE);
		size = instance_decode(w->c, w->row.code[2] + at,
				       w->row.code_bytes[2] - at,
				       &w->in[w->n++]);
		assert_true(size > 0);
	}
}

static void unmake(struct made *w)
{
	gen_free(w->g);
	arena_free(&w->arena);
}

static bool is(const struct made *w, size_t i, const char *form)
{
	return i < w->n && strcmp(w->in[i].form->name, form) == 0;
}

static const char *reg(const struct made *w, size_t i, int operand)
{
	return w->c->regs[w->in[i].reg[operand]].name;
}

/* The stack pointer is saved once, set at the start of each iteration, and
 * restored before the loop's end. */
TEST(the_pointer_is_reset_in_each_iteration)
{
	enum { DISPLACEMENT_OF_STORE = 3, DISPLACEMENT_OF_LOAD = 4, SOURCE };
	struct made w;
	size_t n;

	make(&w, "throughput:PUSH64r/alone", 0);
	n = w.row.unroll[2];
	assert_true(is(&w, 0, "MOV64mr"));
	assert_string_equal(reg(&w, 0, 0), "R14");
	assert_string_equal(reg(&w, 0, SOURCE), "RSP");
	assert_string_equal(w.in[1].form->mnemonic, "leaq");
	assert_string_equal(reg(&w, 1, 0), "RSP");
	assert_string_equal(reg(&w, 1, 1), "R14");
	for (size_t i = 0; i < n; i++)
		assert_string_equal(w.in[2 + i].form->mnemonic, "pushq");
	assert_true(is(&w, n + 2, "MOV64rm"));
	assert_string_equal(reg(&w, n + 2, 0), "RSP");
	assert_string_equal(reg(&w, n + 2, 1), "R14");
	assert_int_equal(w.in[n + 2].imm[DISPLACEMENT_OF_LOAD],
			 w.in[0].imm[DISPLACEMENT_OF_STORE]);
	/* sub, jne, ret */
	assert_int_equal(w.n, n + 6);
	assert_true(w.row.image->gpr_is_memory >> 14 & 1);
	assert_int_equal(w.row.image->gpr[14], MIDDLE);
	unmake(&w);
}

/* Bytes by which an instance moves the stack pointer down. */
static int64_t moves(const char *name)
{
	int64_t bytes = strstr(name, "16") ? 2 : 8;

	return strncmp(name, "POP", 3) == 0 ? -bytes : bytes;
}

/* For every budget the stack is inside the kernel's memory, and separate from
 * the saved stack pointer and from the data that the forms access. */
TEST(the_stack_has_room)
{
	enum { OTHERS = MIDDLE - 128 };
	static const uint32_t budgets[] = { 0, 8000, LARGE };
	static const char *const forms[] = {
		"PUSH64r",       "PUSH64i8", "PUSH64i32", "PUSH64rmm",
		"PUSHF64",       "PUSHFS64", "PUSH16r",   "PUSH16rmm",
		"ENTER",         "POP64r",   "POP64rmm",  "POP64rmr",
		"POP16r",        "POP16rmm", "POPF64",    "CALL64r",
		"CALL64pcrel32",
	};

	for (size_t k = 0; k < ARRAY_LEN(forms) * ARRAY_LEN(budgets); k++) {
		const char *form = forms[k / ARRAY_LEN(budgets)];
		char label[PACK_MAX_LABEL];
		struct made w;
		int64_t start, end;

		(void)snprintf(label, sizeof(label), "throughput:%s/alone",
			       form);
		make(&w, label, budgets[k % ARRAY_LEN(budgets)]);
		/* The displacement of LEA is the last number in its text. */
		start = MIDDLE + w.in[1].imm[4];
		end = start - moves(form) * w.row.unroll[2];
		assert_in_range(start, 0, OTHERS);
		assert_in_range(end, 0, OTHERS);
		assert_int_equal(start % 16, 0);
		assert_true(MIDDLE + w.in[0].imm[3] + 8 <= ONE_PAGE);
		unmake(&w);
	}
}

/* POPF leaves interrupts enabled and changes no other system flag. */
TEST(popf_pops_valid_flags)
{
	enum { FLAGS = 0x202 };
	struct made w;
	uint64_t popped;

	make(&w, "throughput:POPF64/alone", 0);
	memcpy(&popped, w.row.image->memory, sizeof(popped));
	assert_int_equal(popped, FLAGS);
	unmake(&w);
}

/* Each call goes to the next call, in the next cache line. */
TEST(calls_go_to_the_next)
{
	enum { LINE = 64, CALL_BYTES = 5 };
	struct made w;
	size_t n = 0;

	make(&w, "throughput:CALL64pcrel32/alone", 0);
	for (size_t i = 0; i < w.n; i++)
		if (is(&w, i, "CALL64pcrel32")) {
			assert_int_equal(w.in[i].imm[0], LINE - CALL_BYTES);
			n++;
		}
	assert_int_equal(n, w.row.unroll[2]);
	unmake(&w);
}

/* A form with a stack of its own is not mixed with other forms. */
TEST(they_are_in_no_mix)
{
	struct catalogue *c = catalogue_of("x86_64");
	SCOPED(gen_end) struct gen *g = gen_of(c);
	struct err e = { .code = ERR_OK, .message = "" };
	struct experiment x;

	assert_ok(experiment_parse(c, "mix:ADD64rr+PUSH64r/alone", &x, &e), &e);
	assert_int_equal(gen_add(g, &x, &e), ERR_INPUT);
}

/* Every instance pops the value that it pushed. */
TEST(a_value_goes_through_the_stack)
{
	struct made w;
	size_t n = 0;

	make(&w, "latency:POP64r/push@0>0", 0);
	for (size_t i = 0; i + 1 < w.n; i++) {
		if (strcmp(w.in[i].form->mnemonic, "pushq") != 0)
			continue;
		assert_string_equal(w.in[i + 1].form->mnemonic, "popq");
		assert_int_equal(w.in[i].reg[0], w.in[i + 1].reg[0]);
		n++;
	}
	assert_int_equal(n, w.row.unroll[2]);
	unmake(&w);
}
