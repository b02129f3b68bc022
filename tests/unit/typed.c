/* Typed text finds the forms that it means, in both syntaxes. */
#include "host/isa/typed.h"
#include "host/isa/isa.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

static struct arena arena;

struct world {
	struct catalogue *c;
	struct typed_index index;
	struct typed_form *forms; /* measurable ones */
	size_t n;
};

static void world_load(struct world *w, const char *isa)
{
	struct err e = { 0 };

	*w = (struct world){ .c = load(&arena, isa, NULL) };
	assert_int_equal(typed_index_load(&arena, w->c, &w->index, &e), ERR_OK);
	w->forms = ARENA_ARRAY(&arena, struct typed_form, w->c->n_forms);
	for (size_t i = 0; i < w->c->n_forms; i++)
		if (w->c->forms[i].status == FORM_MEASURABLE)
			typed_form(&arena, w->c, &w->index, &w->c->forms[i],
				   &w->forms[w->n++]);
}

/* Does the first come before the second, if both fit as well? */
static bool is_before(const struct typed_index *x, const char *name,
		      const char *than)
{
	unsigned place = typed_used_place(x, name);
	unsigned other = typed_used_place(x, than);

	return place != other ? place < other : strcmp(name, than) < 0;
}

/* The form that fits the text best; of several the one that programs use most,
 * then the first by name. */
static const char *best(const struct world *w, const char *text)
{
	const char *ret = "none";
	int least = TYPED_ANYWHERE;
	struct typed_text t;

	typed_read(w->c->isa, text, &t);
	for (size_t i = 0; i < w->n; i++) {
		const char *name = w->forms[i].name;
		int score = typed_score(&t, text, &w->forms[i]);

		if (score < 0 || score > least ||
		    (score == least && strcmp(ret, "none") != 0 &&
		     !is_before(&w->index, name, ret)))
			continue;
		least = score;
		ret = name;
	}
	return ret;
}

static void check_texts(const char *isa, const char *const (*rows)[2], size_t n)
{
	struct world w;

	world_load(&w, isa);
	for (size_t i = 0; i < n; i++)
		if (strcmp(best(&w, rows[i][0]), rows[i][1]) != 0)
			fail_msg("'%s' is %s, expected %s", rows[i][0],
				 best(&w, rows[i][0]), rows[i][1]);
	arena_free(&arena);
}

TEST(x86_in_both_syntaxes)
{
	static const char *const rows[][2] = {
#include "tests/site/searches.h"
		{ "", "MOV64rr" },
		{ "frobnicate xmm, k", "none" },
	};

	check_texts("x86_64", rows, ARRAY_LEN(rows));
}

TEST(aarch64_and_riscv64)
{
	static const char *const arm[][2] = {
		{ "add x0, x1, x2", "ADDXrs" },
		{ "add v0.4s, v1.4s, v2.4s", "ADDv4i32" },
		{ "add x x imm", "ADDXri" },
		{ "ldr x0, [x1, #8]", "LDRXui" },
		{ "fmadd d d d d", "FMADDDrrr" },
		{ "b.ne", "Bcc/not-taken" },
		{ "ld1rw {z0.s}, p0/z, [x0]", "LD1RW_IMM" },
		{ "ld1rw {z0.d}, p0/z, [x0]", "LD1RW_D_IMM" },
	};
	static const char *const riscv[][2] = {
		{ "add a0, a1, a2", "C_ADD" },
		{ "addi a0, a1, 5", "ADDI" },
		{ "ld a0, 8(sp)", "LD" },
		{ "ld x m", "LD" },
		{ "fadd.d fa0, fa1, fa2", "FADD_D" },
		{ "vadd.vv v e32,m1", "VADD_VV/e32,m1" },
	};

	check_texts("aarch64", arm, ARRAY_LEN(arm));
	check_texts("riscv64", riscv, ARRAY_LEN(riscv));
}

/* Nothing is refused, and nothing is read or written outside. */
TEST(any_text_is_read)
{
	static const char *const rows[] = {
		"((((",
		"))",
		"[",
		"{",
		"{{{%k1",
		"add (",
		"%",
		"$",
		"#",
		"-",
		"add -",
		"add +",
		"%%%%%rax",
		"r8:r9:",
		"add\xff\xfe\x80",
		"a b c d e f g h i j k l m n o p q r s t u v w x y z",
		"add rax rax rax rax rax rax rax rax rax rax rax rax rax rax",
		"st(",
		"add st(1",
		"add xmm99999999999999999999999999999999",
		"add ...////",
		"add v0.................................4s",
	};
	const struct isa *isa = isa_find("x86_64");
	struct typed_text t;
	char wide[5000];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		typed_read(isa, rows[i], &t);
		assert_true(t.n_words <= TYPED_MAX);
		assert_true(t.n_operands <= TYPED_MAX);
		typed_read(isa_find("aarch64"), rows[i], &t);
	}
	memset(wide, 'z', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	typed_read(isa, wide, &t);
	assert_int_equal(t.n_words, 1);
}
