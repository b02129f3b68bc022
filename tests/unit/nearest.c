/* Tests of host/base/nearest: which word a mistyped one means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "host/base/nearest.h"

static const char *nearest_of(const char *wanted, const char *a, const char *b)
{
	struct nearest n = { .wanted = wanted };

	nearest_offer(&n, a);
	nearest_offer(&n, b);
	return n.best;
}

static void nearest_finds_the_word_that_was_meant(void **state)
{
	struct nearest n = { .wanted = "vpermdyrmm" };

	(void)state;
	assert_string_equal(nearest_of("mesure", "model", "measure"),
			    "measure");
	assert_string_equal(nearest_of("sovle", "solve", "show"), "solve");
	assert_string_equal(nearest_of("add64rr", "AND64rr", "ADD64rr"),
			    "ADD64rr");
	assert_string_equal(nearest_of("aab", "aac", "aad"), "aac");
	assert_null(nearest_of("vpermdyrmm", "VPERMDYrm", "x"));
	n.any_case = true;
	nearest_offer(&n, "VPERMDYrm");
	assert_string_equal(n.best, "VPERMDYrm");
	assert_null(nearest_of("frobnicate", "forms", "import"));
	assert_null(nearest_of("", "a", ""));
	assert_null(nearest_of("xy", "xz", "zy"));
}

static void nearest_skips_words_without_bounds(void **state)
{
	char wide[5000];

	(void)state;
	memset(wide, 'a', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	assert_null(nearest_of(wide, wide, "a"));
	assert_null(nearest_of("aaa", wide, "bbb"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearest_finds_the_word_that_was_meant),
		cmocka_unit_test(nearest_skips_words_without_bounds),
	};

	return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
