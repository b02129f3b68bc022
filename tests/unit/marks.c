/* How certain ports are: the words, and that files keep them. */
#include "host/base/order.h"
#include "host/model/settled.h"
#include "tests/unit/model_world.h"

static const struct {
	struct model_mark mark;
	const char *words;
} rows[] = {
	{ { MARK_NONE, 0 }, "" },
	{ { MARK_MEASURED, 0 }, "measured" },
	{ { MARK_CHECKED, 5 }, "published, checked by 5 mixes" },
	{ { MARK_CHECKED, UINT32_MAX },
	  "published, checked by 4294967295 mixes" },
	{ { MARK_DERIVED, 0 }, "derived" },
	{ { MARK_PUBLISHED, 0 }, "published" },
	{ { MARK_OPEN, 0 }, "open" },
};

static void assert_same(struct model_mark x, struct model_mark y)
{
	assert_int_equal(x.kind, y.kind);
	if (x.kind == MARK_CHECKED)
		assert_int_equal(x.n_mixes, y.n_mixes);
}

TEST(words_come_back)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct model_mark again = { .kind = MARK_NONE };
		char room[MARK_ROOM];

		assert_string_equal(mark_text(rows[i].mark, room),
				    rows[i].words);
		assert_int_equal(mark_parse(rows[i].words, &again),
				 rows[i].mark.kind != MARK_NONE);
		assert_same(again, rows[i].mark);
	}
}

TEST(odd_words)
{
	static const char *const odd[] = {
		"certain",
		"open ",
		"published, checked by  mixes",
		"published, checked by 05 mixes",
		"published, checked by 4294967296 mixes",
		"published, checked by 5 mixes 5",
	};
	struct model_mark mark = { .kind = MARK_NONE };

	for (size_t i = 0; i < ARRAY_LEN(odd); i++)
		assert_false(mark_parse(odd[i], &mark));
	assert_int_equal(mark.kind, MARK_NONE);
}

TEST(the_less_certain)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_same(mark_weaker(rows[i].mark, rows[1].mark),
			    rows[i > 0 ? i : 1].mark);
	assert_same(mark_weaker(rows[2].mark, rows[3].mark), rows[2].mark);
}

TEST(of_claims)
{
	struct claim c = { .kind = "ports",
			   .has_value = true,
			   .verdict = VERDICT_OK };

	assert_int_equal(claim_mark(&c).kind, MARK_MEASURED);
	c.visits = 7;
	assert_same(claim_mark(&c), (struct model_mark){ MARK_CHECKED, 7 });
	c.verdict = VERDICT_OPEN;
	assert_int_equal(claim_mark(&c).kind, MARK_OPEN);
	c.verdict = VERDICT_UNSURE;
	assert_int_equal(claim_mark(&c).kind, MARK_NONE);
	c.verdict = VERDICT_OK;
	c.kind = "throughput";
	assert_int_equal(claim_mark(&c).kind, MARK_NONE);
}

/* A model whose forms have each of the marks. */
static struct model marked(struct world *w)
{
	struct model_form *forms = arena_copy(
		&w->a, w->m->forms, w->m->n_forms * sizeof(struct model_form));
	struct model m = *w->m;

	for (size_t i = 0; i < m.n_forms; i++)
		forms[i].mark = rows[1 + i % (ARRAY_LEN(rows) - 1)].mark;
	m.forms = forms;
	return m;
}

/* Whatever stands between blanks and quotes in a file, sorted. */
struct words {
	char **list;
	size_t n;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct words words_of(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text);
	struct words w = { ARENA_ARRAY(a, char *, strlen(text) / 2 + 1), 0 };

	for (char *at = strtok(copy, " '\"\n"); at; at = strtok(NULL, " '\"\n"))
		w.list[w.n++] = at;
	qsort(w.list, w.n, sizeof(*w.list), by_text);
	return w;
}

/* Does the file give the entry's mark to this form? */
static bool is_named(const struct words *w, const char *form)
{
	return bsearch(&form, w->list, w->n, sizeof(*w->list), by_text) != NULL;
}

static void compare_marks(const struct model *m, const struct model *again,
			  const char *text, bool exact)
{
	struct arena a = { 0 };
	struct words words = words_of(&a, text);
	size_t n_equal = 0;

	for (size_t i = 0; i < again->n_forms; i++) {
		const struct model_form *g = &again->forms[i];
		const struct model_form *f = model_find(m, g->name);

		if (!f || !g->has_ports || !is_named(&words, g->name))
			continue;
		/* An entry of several forms has the least certain mark. */
		assert_same(mark_weaker(f->mark, g->mark),
			    exact ? f->mark : g->mark);
		n_equal += f->mark.kind == g->mark.kind;
	}
	arena_free(&a);
	assert_true(n_equal > 200);
}

TEST(files_keep_them)
{
	static const char *const formats[] = { "model", "uops", "osaca",
					       "osaca-sets" };
	SCOPED(close_world)
	struct world w = open_world("riscv64", "sifive-p670");
	struct model m = marked(&w);

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		bool exact = strncmp(formats[i], "osaca", 5) != 0;
		const char *text = written(&w, formats[i], &m);

		compare_marks(&m,
			      read_text(&w, exact ? formats[i] : "osaca", text),
			      text, exact);
	}
}

/* Of opcodes, and of the writes of a whole model. */
TEST(llvm_shows_them)
{
	SCOPED(close_world) struct world x = open_world("x86_64", "skylake");
	SCOPED(close_world)
	struct world w = open_world("riscv64", "sifive-u74");
	struct model opcodes = marked(&x), whole = marked(&w);
	const char *list = written(&x, "llvm", &opcodes);
	const char *text = written(&w, "llvm", &whole);

	for (size_t i = 1; i < ARRAY_LEN(rows); i++) {
		assert_part(list, arena_printf(&x.a, "$\" /* ports: %s */",
					       rows[i].words));
		assert_part(text,
			    arena_printf(&w.a, "; ports: %s\n", rows[i].words));
	}
}

TEST(other_tools_files_are_published)
{
	SCOPED(close_world)
	struct world w = open_world("riscv64", "sifive-u74");
	struct model m = *w.m;
	struct model_form *forms = arena_copy(
		&w.a, m.forms, m.n_forms * sizeof(struct model_form));
	const struct model *again;

	for (size_t i = 0; i < m.n_forms; i++) {
		assert_int_equal(forms[i].mark.kind, MARK_PUBLISHED);
		forms[i].mark.kind = MARK_NONE;
	}
	m.forms = forms;
	again = read_text(&w, "uops", written(&w, "uops", &m));
	assert_int_equal(known(again, "ADD")->mark.kind, MARK_PUBLISHED);
	again = read_text(&w, "model", written(&w, "model", &m));
	assert_int_equal(known(again, "ADD")->mark.kind, MARK_NONE);
}

TEST(odd_marks_are_refused)
{
	static const char text[] =
		"isa: x86\nports: ['0']\ninstruction_forms:\n"
		"- {name: add, operands: [], port_pressure: [[1, ['0']]],\n"
		"   ports_mark: certain}\n";
	SCOPED(close_world) struct world w = open_world("x86_64", NULL);
	struct model *m = read_text(&w, "osaca", text);

	assert_int_equal(m->n_skipped, 1);
	assert_part(m->skipped, "as ports_mark");
}
