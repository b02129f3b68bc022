/* Tests of host/base/nearest: which word a mistyped one means. */
#include "host/base/nearest.h"
#include "tests/unit/unit.h"

static const char *nearest_of(const char *wanted, const char *a, const char *b)
{
	struct nearest n = { .wanted = wanted };

	nearest_offer(&n, a);
	nearest_offer(&n, b);
	return n.best;
}

TEST(nearest_finds_the_word_that_was_meant)
{
	struct nearest n = { .wanted = "vpermdyrmm" };

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

TEST(nearest_skips_words_without_bounds)
{
	char wide[5000];

	memset(wide, 'a', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	assert_null(nearest_of(wide, wide, "a"));
	assert_null(nearest_of("aaa", wide, "bbb"));
}
