/* The core of a machine, by its numbers and features: tests/identity/cpus.txt
 * has real machines and those of QEMU.  And the files of facts themselves. */
#include "host/base/file.h"
#include "host/isa/identity.h"
#include "host/isa/isa.h"
#include "host/isa/mc_sched.h"
#include "tests/unit/unit.h"

#define CPUS TEST_SOURCE_DIR "/tests/identity/cpus.txt"

enum { CPUS_BYTES = 1 << 16, FIELDS = 4 };

static const char *join(struct arena *a, const char *x, const char *between,
			const char *y)
{
	return arena_printf(a, "%s%s%s", x, *x ? between : "", y);
}

/* Split a text in place; the last field has what is left. */
static void split(char *text, const char *at, char **fields, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *end = i + 1 < n ? strstr(text, at) : NULL;

		fields[i] = text;
		if (!end) {
			for (size_t k = i + 1; k < n; k++)
				fields[k] = NULL;
			return;
		}
		*end = '\0';
		text = end + strlen(at);
	}
}

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
		if ((at == list || at[-1] == ' ') &&
		    (at[n] == ' ' || at[n] == '\0'))
			return true;
	return false;
}

/* "+a,-b" for all words of `known`, of which the machine has `has`. */
static const char *features_of(struct arena *a, const char *known,
			       const char *has)
{
	SCOPED(buffer_free) struct buffer b = { 0 };
	char word[40];
	int n;

	for (; sscanf(known, "%39s%n", word, &n) == 1; known += n)
		buffer_printf(&b, "%s%c%s", b.n ? "," : "",
			      has_word(has, word) ? '+' : '-', word);
	buffer_add(&b, "", 1);
	known = arena_strdup(a, (const char *)b.bytes);
	return known;
}

struct cpus {
	struct arena a;
	struct known_cores facts;
	char *rows[128][FIELDS];
	size_t n;
	const char *known; /* all words of features */
};

static void open_cpus(struct cpus *c)
{
	unsigned char *bytes;
	struct err e = { 0 };
	char *line, *next, word[40];
	size_t n;

	*c = (struct cpus){ .known = "" };
	c->facts = facts_read(&c->a);
	assert_ok(file_read(&c->a, CPUS, CPUS_BYTES, &bytes, &n, &e), &e);
	for (line = (char *)bytes; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (*line == '\0' || *line == '#')
			continue;
		assert_true(c->n < ARRAY_LEN(c->rows));
		split(line, " | ", c->rows[c->n++], FIELDS);
		assert_non_null(c->rows[c->n - 1][FIELDS - 1]);
	}
	for (size_t i = 0; i < c->n; i++) {
		int used;

		for (char *at = c->rows[i][3];
		     sscanf(at, "%39s%n", word, &used) == 1; at += used)
			if (!has_word(c->known, word))
				c->known = join(&c->a, c->known, " ", word);
	}
}

TEST(machines)
{
	const struct isa *isa = isa_find("x86_64");
	struct cpus c;

	open_cpus(&c);
	assert_true(c.n > 70);
	for (size_t i = 0; i < c.n; i++) {
		char *const *row = c.rows[i];
		struct seen_machine m = { isa->name,
					  isa->triple,
					  { { NULL } },
					  features_of(&c.a, c.known, row[3]),
					  "guess" };
		char *words[IDENTITY_WORDS], *text;
		struct identified got;
		const char *name;

		text = arena_strdup(&c.a, row[1]);
		split(text, " ", words, IDENTITY_WORDS);
		for (size_t k = 0; k < IDENTITY_WORDS; k++)
			m.numbers.words[k] = words[k];
		got = identify(&c.a, &c.facts, &m);
		name = join(&c.a, got.core ? got.core->name : "", " ",
			    got.doubtful ? "?" : "");
		if (!got.doubtful)
			name = got.core->name;
		if (strcmp(name, row[2]) != 0 &&
		    !(strcmp(row[2], "?") == 0 && got.doubtful))
			fail_msg("%s: %s, not %s", row[0], name, row[2]);
		assert_string_equal(got.says, row[1]);
		if (got.core)
			assert_string_equal(got.cpu, got.core->llvm);
	}
	arena_free(&c.a);
}

/* Numbers of other instruction sets, as the identity of a run has them. */
TEST(runs)
{
	static const struct {
		const char *core, *name;
	} rows[] = {
		{ "x86_64/AuthenticAMD/25.1.1/AMD_EPYC/-/0xa0011d1", "Zen 3" },
		{ "x86_64/GenuineIntel/6.207.2/Intel(R)_Xeon(R)/-/-",
		  "Emerald Rapids" },
		{ "aarch64/-/0x410fd4f0/-/-/-", "Neoverse V2" },
		{ "aarch64/-/0x413fd0c1/-/-/-", "Neoverse N1" },
		{ "aarch64/-/0x00000000410fd083/-/-/-", "Cortex-A72" },
		{ "aarch64/-/0x611f0230/-/-/-", "Apple M1" },
		{ "aarch64/-/0x461f0010/-/-/-", "A64FX" },
		{ "riscv64/0x710/0x8000000058000001.0x1000000049772200/-/-/-",
		  "SpacemiT X60" },
		{ "riscv64/0x489/0x8000000000000007.0x4210427/-/-/-",
		  "SiFive U7" },
		{ "riscv64/0x5b7/0x0.0x0/-/-/-", NULL },
		{ "riscv64/0x0/0x70100.0x70100/-/-/-", NULL },
		{ "riscv64/-/-/-/-/-", NULL },
		{ "x86_64", NULL },
		{ "", NULL },
	};
	SCOPED(arena_free) struct arena a = { 0 };
	struct known_cores f = facts_read(&a);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct known_core *c = facts_of_run(&a, &f, rows[i].core);

		if (!rows[i].name)
			assert_null(c);
		else if (!c || strcmp(c->name, rows[i].name) != 0)
			fail_msg("%s: %s", rows[i].core,
				 c ? c->name : "no core");
	}
}

TEST(contradictions)
{
	static const struct {
		const char *core, *cpu;
		bool contradict;
	} rows[] = {
		{ "aarch64/-/0x410fd4f0/-/-/-", "neoverse-v2", false },
		{ "aarch64/-/0x413fd0c1/-/-/-", "neoverse-v2", true },
		{ "aarch64/-/0x413fd0c1/-/-/-", "generic", false },
		{ "aarch64/-/-/-/-/-", "neoverse-v2", false },
		{ "riscv64/0x710/0x8000000058000001.0x1/-/-/-", "spacemit-x60",
		  false },
		{ "riscv64/0x0/0x70100.0x70100/-/-/-", "spacemit-x60", true },
		{ "riscv64/0x489/0x8000000000000007.0x1/-/-/-", "spacemit-x60",
		  true },
		{ "x86_64/AuthenticAMD/25.1.1/-/-/-", "znver3", false },
		{ "x86_64/AuthenticAMD/25.1.1/-/-/-", "znver4", true },
		{ "", "znver4", false },
	};
	SCOPED(arena_free) struct arena a = { 0 };
	struct known_cores f = facts_read(&a);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (facts_contradict(&a, &f, rows[i].core, rows[i].cpu) !=
		    rows[i].contradict)
			fail_msg("%s, %s", rows[i].core, rows[i].cpu);
}

/* Each file is correct, LLVM knows its names, and no numbers belong to two
 * cores but for one pair, which features tell apart. */
TEST(files)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct known_cores all = { 0 };

	for (const struct facts_text *t = facts_texts; t->path; t++) {
		struct err e = { 0 };
		size_t before = all.n;

		assert_ok(facts_parse(&a, t->path, t->text, strlen(t->text),
				      &all, &e),
			  &e);
		assert_true(all.n > before);
	}
	for (size_t i = 0; i < all.n; i++) {
		const struct known_core *c = &all.cores[i];

		if (!mc_sched_knows(isa_find(c->isa)->triple, c->llvm))
			fail_msg("LLVM knows no '%s'", c->llvm);
		assert_non_null(facts_get(c, "identity", 0));
		for (size_t k = 0; k < c->n; k++)
			assert_true(strlen(c->facts[k].source) > 10);
	}
}

TEST(mistakes)
{
#define CORE "source s = a text\ncore = X\nisa = x86_64\nllvm = x\n"
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "width = 4\n", "f:1: expected 'source TAG = TEXT'" },
		{ "core\n", "f:1: expected 'KEY = VALUE'" },
		{ "core = \n", "f:1: expected 'KEY = VALUE'" },
		{ "core = X\nisa = x86_64\n", "'isa' and 'llvm'" },
		{ CORE "width = 4\n", "f:5: expected 'VALUE @TAG'" },
		{ CORE "width = 4 @other\n", "f:5: expected 'VALUE @TAG'" },
		{ CORE "wdith = 4 @s\n", "f:5: expected isa, llvm" },
		{ CORE "isa = x86_64\n", "f:5: expected each of" },
		{ CORE "width = 4 @s\n", NULL },
	};
	SCOPED(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct known_cores f = { 0 };
		struct err e = { 0 };
		int status = facts_parse(&a, "f", rows[i].text,
					 strlen(rows[i].text), &f, &e);

		if (!rows[i].says)
			assert_int_equal(status, ERR_OK);
		else if (status != ERR_INPUT ||
			 !strstr(e.message, rows[i].says))
			fail_msg("%s: %s", rows[i].text, e.message);
	}
}
