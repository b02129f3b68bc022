/* Expressions of users and files: compiled if they are small, whatever they
 * look like, and refused with a reason otherwise. */
#include "host/base/expression.h"
#include "host/base/arena.h"
#include "tests/unit/unit.h"

static bool matches(const char *text, const char *name)
{
	regex_t r;
	char why[120];
	bool found;

	if (!expression_compile(text, &r, why, sizeof(why)))
		fail_msg("'%s': %s", text, why);
	found = regexec(&r, name, 0, NULL, 0) == 0;
	regfree(&r);
	return found;
}

static void refuses(const char *text, const char *says)
{
	regex_t r;
	char why[120] = "";

	assert_false(expression_compile(text, &r, why, sizeof(why)));
	assert_part(why, says);
}

TEST(usual_ones_match)
{
	assert_true(matches("", "ADD"));
	assert_true(matches("^(ADD|SUB)(32|64)r{2}$", "SUB64rr"));
	assert_false(matches("^(ADD|SUB)(32|64)r{2}$", "SUB64rrr"));
	assert_true(matches("^[]A-Z[:digit:]]{3,9}_", "ADD64_x"));
	assert_true(matches("^ADD\\.W$", "ADD.W"));
	assert_true(matches("a{1,255}", "xa"));
	assert_true(matches("[{(|*]", "("));
	assert_true(matches("[[:alpha:]{]{2}", "a{"));
}

static char *repeated(struct arena *a, const char *what, size_t n)
{
	size_t m = strlen(what);
	char *ret = arena_alloc(a, n * m + 1, 1);

	for (size_t i = 0; i < n; i++)
		memcpy(ret + i * m, what, m);
	ret[n * m] = '\0';
	return ret;
}

TEST(large_ones_are_refused)
{
	/* One piece is fine; so many are not, with the closing ones or
	 * without. */
	static const struct {
		const char *piece, *end;
		size_t n;
		const char *says;
	} rows[] = {
		{ "(", "", 30000, "longer" },
		{ "(", "", 60, "nested" },
		{ "(", ")", 60, "nested" },
		{ "(x|", ")", 51, "nested" },
		{ "a", "", 60 << 10, "longer" },
		{ "a*", "", 3000, "too large when" },
		{ "a|", "", 5000, "too large when" },
		{ "[a", "", 60 << 10, "longer" },
		{ "a{1,255}", "", 9, "too large when" },
		{ "a{255}{255}", "", 1, "too large when" },
	};
	SCOPED(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		refuses(arena_printf(&a, "%s%s",
				     repeated(&a, rows[i].piece, rows[i].n),
				     repeated(&a, rows[i].end, rows[i].n)),
			rows[i].says);
	refuses("((a{1,255}){1,255}){1,255}", "too large when");
	refuses("(((a{999,}){999,}){999,})", "too large when");
	refuses("(a{0,99999999999999999999})", "too large when");
	refuses("((a|b){1,999}){1,999}", "too large when");
	refuses("a++++++++++++++++++++", "too large when");
	refuses("(a)\\1", "refers back");
	refuses("(", "(");
	refuses("[", "");
	refuses("[[:", "");
	refuses("a\\", "");
	refuses("a{", "");
}

/* What is accepted takes little, whatever it is. */
TEST(what_is_accepted_is_cheap)
{
	static const char alphabet[] = "ab()[]|*+?{},1239^$\\.:-";
	uint64_t seed = 7;

	for (int i = 0; i < 3000; i++) {
		char text[48], why[120];
		size_t n = 0;
		regex_t r;

		for (; n < sizeof(text) - 1; n++) {
			seed = seed * UINT64_C(6364136223846793005) + 1;
			text[n] =
				alphabet[(seed >> 33) % (sizeof(alphabet) - 1)];
		}
		text[n] = '\0';
		if (!expression_compile(text, &r, why, sizeof(why)))
			continue;
		(void)regexec(&r, "ababababab", 0, NULL, 0);
		regfree(&r);
	}
}
