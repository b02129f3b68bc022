/* Expressions for sets of opcodes match exactly these, of all opcodes that LLVM
 * has for the instruction set. */
#include <regex.h>

#include "host/codec/llvm/regex.h"
#include "host/isa/mc.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

enum { MOST_NAMES = 8 };

static const struct row {
	const char *names[MOST_NAMES];
	const char *expressions[MOST_NAMES];
} rows[] = {
	{ { "ADD8rr", "ADD16rr", "ADD32rr", "ADD64rr" },
	  { "^ADD(8|16|32|64)rr$" } },
	{ { "ADD64rr", "SUB64rr", "ADD64ri8", "SUB64ri8" },
	  { "^(ADD|SUB)64rr$", "^(ADD|SUB)64ri8$" } },
	{ { "ADDrr", "ADDrr_ND", "SUBrr", "SUBrr_ND" },
	  { "^(ADD|SUB)rr(_ND)?$" } },
	/* No product: SUB8ri is missing. */
	{ { "ADD8rr", "ADD8ri", "SUB8rr" }, { "^ADD8(rr|ri)$", "^SUB8rr$" } },
	{ { "MULHU" }, { "^MULHU$" } },
	{ { "A_", "A__B", "_" }, { "^A(_|__B)$", "^_$" } },
	{ { 0 }, { 0 } },
};

TEST(rows)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		const char *const *expressions;
		size_t n = 0, n_expressions;

		while (n < MOST_NAMES && rows[i].names[n])
			n++;
		n_expressions =
			llvm_regex_cover(&a, rows[i].names, n, &expressions);
		for (size_t k = 0; k < n_expressions; k++) {
			assert_non_null(rows[i].expressions[k]);
			assert_string_equal(expressions[k],
					    rows[i].expressions[k]);
		}
		assert_null(rows[i].expressions[n_expressions]);
	}
}

/* All opcodes of an instruction set, pseudo ones too. */
struct opcodes {
	struct arena a;
	size_t n;
	const char **names;
	unsigned *classes; /* LLVM's scheduling classes */
};

static struct opcodes all_opcodes(const char *isa)
{
	struct opcodes o = { .a = { 0 } };
	const struct catalogue *c = load(&o.a, isa, NULL);

	o.n = mc_n_opcodes(c->mc);
	o.names = ARENA_ARRAY(&o.a, const char *, o.n);
	o.classes = ARENA_ARRAY(&o.a, unsigned, o.n);
	for (size_t i = 0; i < o.n; i++) {
		struct mc_opcode opcode;

		mc_get_opcode(c->mc, i, &opcode);
		o.names[i] = opcode.name;
		o.classes[i] = opcode.sched_class;
	}
	return o;
}

/* Each of the chosen opcodes is matched once, no other opcode at all.  Returns
 * the number of expressions. */
static size_t check_choice(struct opcodes *o, const bool *chosen)
{
	const char **names = ARENA_ARRAY(&o->a, const char *, o->n);
	unsigned *matched = ARENA_ARRAY(&o->a, unsigned, o->n);
	const char *const *expressions;
	size_t n = 0, n_expressions;

	for (size_t i = 0; i < o->n; i++)
		if (chosen[i])
			names[n++] = o->names[i];
	n_expressions = llvm_regex_cover(&o->a, names, n, &expressions);
	for (size_t k = 0; k < n_expressions; k++) {
		regex_t r;

		assert_int_equal(
			regcomp(&r, expressions[k], REG_EXTENDED | REG_NOSUB),
			0);
		for (size_t i = 0; i < o->n; i++)
			matched[i] += !regexec(&r, o->names[i], 0, NULL, 0);
		regfree(&r);
	}
	for (size_t i = 0; i < o->n; i++)
		if (matched[i] != chosen[i])
			fail_msg("%s: matched %u times, expected %d",
				 o->names[i], matched[i], chosen[i]);
	return n_expressions;
}

static void check_isa(const char *isa)
{
	enum { N_CLASSES = 12, N_DRAWS = 3, ONE_OF = 200 };
	struct opcodes o = all_opcodes(isa);
	bool *chosen = ARENA_ARRAY(&o.a, bool, o.n);
	unsigned random = 20;

	/* What shares a cost, as a rule. */
	for (unsigned k = 0; k < N_CLASSES; k++) {
		unsigned class = o.classes[(k * o.n + o.n / 2) / N_CLASSES];
		size_t n = 0, n_expressions;

		for (size_t i = 0; i < o.n; i++)
			n += chosen[i] = o.classes[i] == class;
		n_expressions = check_choice(&o, chosen);
		assert_true(n_expressions <= n);
	}
	/* What does not: the products have gaps. */
	for (unsigned k = 0; k < N_DRAWS; k++) {
		for (size_t i = 0; i < o.n; i++) {
			random = random * 1664525 + 1013904223;
			chosen[i] = (random >> 8) % ONE_OF == 0;
		}
		check_choice(&o, chosen);
	}
	arena_free(&o.a);
}

TEST(x86_64)
{
	check_isa("x86_64");
}

TEST(aarch64)
{
	check_isa("aarch64");
}

TEST(riscv64)
{
	check_isa("riscv64");
}
