/* The runtime's reader of options, run on the host with text that firmware or a
 * person may have written. */
#include "target/core/options.h"
#include "target/boot/bare/about.h"
#include "tests/unit/docs_table.h"
#include "tests/unit/unit.h"

static const struct console uart = { .name = "ns16550" },
			    firmware = { .name = "sbi" };
const struct console *const consoles[] = { &firmware, &uart, NULL };

/* A copy without a NUL at its end, so that a sanitizer sees reads beyond it. */
static void take(const char *text)
{
	size_t n = strlen(text);
	char *copy = malloc(n ? n : 1);

	assert_non_null(copy);
	memcpy(copy, text, n);
	options_take(copy, n);
	free(copy);
}

static int reset(void **state)
{
	(void)state;
	take("passes=1 log=1");
	return 0;
}

/* The first test: nothing is taken yet. */
TEST(defaults_are_those_of_the_docs)
{
	static const char docs[] = TEST_SOURCE_DIR "/docs/board/runtime.md";
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {
		{ "from", options()->from },
		{ "passes", options()->passes },
		{ "log", options()->log },
		{ "poweroff", options()->poweroff },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(docs_number(docs, rows[i].name),
				 rows[i].value);
}

/* Typing mistakes are named, words of other programs are not. */
TEST_WITH(what_is_refused_is_named, reset, NULL)
{
	struct wire_line w;
	const char *text = w.text;

	take("quiet console=ttyS0,115200 foo=1 anechoic.pases=2 log = no\n"
	     "anechoic.console=ttyS1 anechoic.hart=0x1");
	wire_begin(&w, 0, "info");
	options_describe(&w);
	assert_true(wire_end(&w) > 0);
	assert_non_null(strstr(text, "options_refused="));
	assert_non_null(strstr(text, "anechoic.pases=2"));
	assert_non_null(strstr(text, ",log_=_no"));
	assert_non_null(strstr(text, "anechoic.console=ttyS1"));
	assert_non_null(strstr(text, "anechoic.hart=0x1"));
	assert_null(strstr(text, "ttyS0"));
	assert_null(strstr(text, "foo"));
}

TEST_WITH(boot_arguments_are_words, reset, NULL)
{
	take("earlycon=sbi console=ttyS0,115200 anechoic.hart=4 quiet "
	     "anechoic.passes=3");
	assert_int_equal(options()->core, 4);
	assert_int_equal(options()->passes, 3);
}

TEST_WITH(a_file_has_lines_and_remarks, reset, NULL)
{
	take("# passes = 9\r\nlog = 0 # no file\r\n\tready_ms= 50\r\n");
	assert_int_equal(options()->passes, 1);
	assert_int_equal(options()->log, 0);
	assert_int_equal(options()->ready_ms, 50);
}

TEST_WITH(the_later_source_wins, reset, NULL)
{
	take("passes = 2");
	take("passes=5");
	assert_int_equal(options()->passes, 5);
}

/* An option of the Linux kernel with this name is ignored. */
TEST_WITH(a_console_is_one_of_the_runtime, reset, NULL)
{
	assert_null(options()->console);
	take("console=ttyS0,115200 anechoic.console=efi");
	assert_null(options()->console);
	take("console = ns16550");
	assert_ptr_equal(options()->console, &uart);
	take("console=ttyS0 anechoic.console=sbi");
	assert_ptr_equal(options()->console, &firmware);
}

TEST_WITH(what_is_no_option_is_skipped, reset, NULL)
{
	take("= =3 passes passes= passes=x passes=-1 xpasses=7 passe=8 "
	     "anechoic.=4 passes=99999999999999999999 other.passes=6 ==");
	assert_int_equal(options()->passes, 1);
}

TEST_WITH(kernels_are_skipped, reset, NULL)
{
	assert_int_equal(options()->from, 0);
	assert_false(options_skip(0));
	take("anechoic.from=4187 anechoic.skip=4187,12");
	assert_int_equal(options()->from, 4187);
	assert_true(options_skip(12) && options_skip(4187));
	assert_false(options_skip(13));
	/* All of a list or nothing. */
	take("skip=1,x skip=2, skip=,3 skip= "
	     "skip=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17");
	assert_int_equal(options()->n_skip, 2);
	take("from=0 skip=7");
	assert_true(options_skip(7) && !options_skip(12));
}

/* The fields of INFO that the n bytes at `about` become. */
static void assert_about(const char *about, size_t n, const char *fields)
{
	char *copy = malloc(n ? n : 1);
	struct wire_line w;

	assert_non_null(copy);
	memcpy(copy, about, n);
	wire_begin(&w, 0, "info");
	about_describe(&w, copy, n);
	free(copy);
	w.text[w.length] = '\0';
	assert_string_equal(w.text, fields);
}

TEST(an_image_says_what_it_is)
{
	static const char about[] = "image_board\0x\0image_cpu\0y,+z\0";

	assert_about(about, sizeof(about),
		     "@0 info image_board=x image_cpu=y,+z");
	/* What has no end is left out. */
	assert_about(about, sizeof(about) - 2, "@0 info image_board=x");
	assert_about(about, 13, "@0 info");
	assert_about(about, 5, "@0 info");
	assert_about("", 0, "@0 info");
}

TEST_WITH(any_bytes_end, reset, NULL)
{
	for (unsigned seed = 0; seed < 20000; seed++) {
		static const char some[] = "a=#\n 1.\0passes\t";
		char text[24];
		uint32_t r = seed * 2654435761u;

		for (size_t i = 0; i < sizeof(text); i++) {
			r = r * 1664525u + 1013904223u;
			text[i] = some[(r >> 24) % (sizeof(some) - 1)];
		}
		options_take(text, sizeof(text));
	}
}
