/* The library in a program whose locale writes numbers with a comma and has
 * other pairs of upper and lower case: every answer is that of the C locale,
 * and so is what the cache keeps. The locale is made here, because a machine
 * may have none but C; localedef belongs to the C library. */
#include <ctype.h>
#include <locale.h>
#include <pthread.h>
#include <unistd.h>

#include "common/types.h"
#include "lib/anechoic.h"
#include "tests/unit/unit.h"

static const char locale_source[] =
	"LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
	"grouping 3;3\nEND LC_NUMERIC\n"
	"LC_CTYPE\nupper <U0041>..<U005A>\nlower <U0061>..<U007A>\n"
	"space <U0020>;<U0009>;<U000A>\ntoupper (<U0069>,<U0059>)\n"
	"tolower (<U0049>,<U0079>)\nEND LC_CTYPE\n";

static char folder[64];

static void set_cache(const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(setenv("XDG_CACHE_HOME", path, 1), 0);
}

static int make_locale(void **state)
{
	char path[128], command[512];
	FILE *f;

	(void)state;
	(void)strcpy(folder, "/tmp/anechoic-locale-XXXXXX");
	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/source", folder);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(locale_source, f) >= 0);
	assert_int_equal(fclose(f), 0);
	/* It warns of the categories that are missing, with status 1. */
	(void)snprintf(command, sizeof(command),
		       "localedef --no-archive -c -i %s/source %s/comma "
		       ">%s/says 2>&1 || [ $? -eq 1 ]",
		       folder, folder, folder);
	assert_int_equal(system(command), 0);
	assert_int_equal(setenv("LOCPATH", folder, 1), 0);
	return 0;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

GROUP(make_locale, remove_folder);

/* Is this the locale of the thread? */
static bool has_comma(void)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%.1f", 1.5);
	return strcmp(text, "1,5") == 0 && tolower('I') != 'i';
}

static const char *const loops[] = {
	"L1:\n addq %rax,%rbx\n imulq %rbx,%rcx\n addsd %xmm0,%xmm1\n"
	" vdivpd %ymm1,%ymm2,%ymm3\n movq 8(%rsi),%rax\n jne L1\n",
	"L1:\n ADDI a0, a0, 1\n fmul.d fa0, fa0, fa1\n ld a1, 8(a2)\n"
	" bnez a0, L1\n",
};

static const struct source {
	struct anechoic_source model;
	const char *loop;
} sources[] = {
	{ { .cpu = "skylake", .isa = "x86_64" }, loops[0] },
	{ { .cpu = "sifive-x280", .isa = "riscv64" }, loops[1] },
	{ { .file = TEST_SOURCE_DIR
	    "/tests/fuzz/corpus/model_json/riscv64.json" },
	  loops[1] },
	{ { .file = TEST_SOURCE_DIR "/tests/fuzz/corpus/osaca/left-out.yml" },
	  loops[0] },
	{ { .file = TEST_SOURCE_DIR "/tests/fuzz/corpus/uops/riscv64.xml" },
	  loops[1] },
	{ { .file = TEST_SOURCE_DIR "/tests/fuzz/corpus/winic/all.yaml",
	    .isa = "riscv64" },
	  loops[1] },
};

/* Everything that the library says of the loop, for the caller to free. */
static char *answer(const struct source *s)
{
	static const char *const formats[] = { "text", "json", "html", "dot" };
	char why[ANECHOIC_MESSAGE], *ret = NULL;
	struct anechoic_result *r;
	struct anechoic *core;
	uint64_t bits;
	size_t n;
	FILE *f = open_memstream(&ret, &n);

	assert_non_null(f);
	if (anechoic_open(&s->model, &core, why) != ANECHOIC_OK ||
	    anechoic_predict_text(core, "x.s", s->loop, NULL, &r, why) !=
		    ANECHOIC_OK)
		fail_msg("%s", why);
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		(void)fputs(anechoic_print(r, formats[i]), f);
	memcpy(&bits, &anechoic_bounds(r)->cycles, sizeof(bits));
	(void)fprintf(f, "%llx\n", (unsigned long long)bits);
	anechoic_free(r);
	anechoic_close(core);
	assert_int_equal(fclose(f), 0);
	return ret;
}

static void expect_answer(const struct source *s, const char *want,
			  const char *when)
{
	char *have = answer(s);

	if (strcmp(have, want) != 0)
		fail_msg("%s %s:\n%s\nexpected:\n%s",
			 s->model.cpu ? s->model.cpu : s->model.file, when,
			 have, want);
	free(have);
}

/* A model that this process caches is read by others, in any locale. */
TEST(answers_are_those_of_the_c_locale)
{
	char *want[ARRAY_LEN(sources)];

	set_cache("plain");
	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		want[i] = answer(&sources[i]);
	assert_non_null(setlocale(LC_ALL, "comma"));
	assert_true(has_comma());
	set_cache("comma");
	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		expect_answer(&sources[i], want[i], "with a comma");
		expect_answer(&sources[i], want[i], "cached, with a comma");
		assert_true(has_comma());
	}
	assert_non_null(setlocale(LC_ALL, "C"));
	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		expect_answer(&sources[i], want[i], "cached before");
		free(want[i]);
	}
}

static void *use_in_thread(void *want)
{
	expect_answer(&sources[0], want, "in a thread");
	return has_comma() ? want : NULL;
}

/* A thread's own locale is its own again behind each call, also one that fails;
 * other threads keep theirs. */
TEST(threads_keep_their_locale)
{
	struct anechoic_source nothing = { .file = "/nonexistent" };
	char *want = answer(&sources[0]), why[ANECHOIC_MESSAGE];
	locale_t comma;
	struct anechoic *core;
	pthread_t thread;
	void *same;

	assert_non_null(setlocale(LC_ALL, "comma"));
	comma = duplocale(LC_GLOBAL_LOCALE);
	assert_true(comma != (locale_t)0);
	assert_int_equal(pthread_create(&thread, NULL, use_in_thread, want), 0);
	(void)uselocale(comma);
	assert_int_not_equal(anechoic_open(&nothing, &core, why), ANECHOIC_OK);
	assert_true(uselocale((locale_t)0) == comma);
	expect_answer(&sources[0], want, "in a thread's locale");
	assert_true(uselocale((locale_t)0) == comma);
	assert_int_equal(pthread_join(thread, &same), 0);
	assert_ptr_equal(same, want);
	(void)uselocale(LC_GLOBAL_LOCALE);
	assert_non_null(setlocale(LC_ALL, "C"));
	freelocale(comma);
	free(want);
}
