/* The table of clocks: words, and what a database keeps. */
#include "host/base/clock_kind.h"

#include "tests/unit/store_scratch.h"

EACH(set_up, tear_down);

TEST(words_come_back)
{
	for (enum clock c = CLOCK_NONE; c < CLOCK_UNKNOWN; c++) {
		assert_int_equal(clock_of(clock_word(c)), c);
		assert_string_equal(clock_word_or(c, "x"), clock_word(c));
	}
	assert_string_equal(clock_word(CLOCK_NONE), "");
	assert_string_equal(clock_word(CLOCK_CORE), "core");
	assert_string_equal(clock_word(CLOCK_REF), "ref");
	assert_string_equal(clock_word(CLOCK_EITHER), "either");
}

TEST(other_words_are_unknown)
{
	static const char *const others[] = { "cor", "cores", "Ref", " ",
					      "core ref" };

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_int_equal(clock_of(others[i]), CLOCK_UNKNOWN);
	assert_string_equal(clock_word(CLOCK_UNKNOWN), "");
	assert_string_equal(clock_word_or(CLOCK_UNKNOWN, "x"), "x");
}

/* A word of a later version stays, in a copy of its run, too. */
TEST(a_database_keeps_words)
{
	struct scratch *t = *state;
	int64_t id = new_run(t);
	struct run r;

	ok(t, store_write(t->s, &t->err, "clock",
			  "UPDATE run SET clock = 'sundial'", ""));
	reopen(t);
	ok(t, store_run_get(t->s, &t->arena, id, &r, &t->err));
	assert_int_equal(r.clock, CLOCK_UNKNOWN);
	assert_string_equal(run_clock(&r), "sundial");
	ok(t, store_run_new(t->s, &r, &t->err));
	assert_int_not_equal(r.id, id);
	ok(t, store_run_get(t->s, &t->arena, r.id, &r, &t->err));
	assert_string_equal(run_clock(&r), "sundial");
	ok(t, store_run_clock(t->s, id, CLOCK_REF, 7, &t->err));
	ok(t, store_run_get(t->s, &t->arena, id, &r, &t->err));
	assert_int_equal(r.clock, CLOCK_REF);
	assert_string_equal(run_clock(&r), "ref");
}
