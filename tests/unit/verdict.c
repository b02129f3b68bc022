/* The table of verdicts: words, what models take, and what a database keeps. */
#include "host/store/verdict.h"

#include "host/model/settled.h"
#include "host/store/store_claim.h"
#include "tests/unit/store_scratch.h"

EACH(set_up, tear_down);

TEST(words_come_back)
{
	for (enum verdict v = 0; v < VERDICT_UNKNOWN; v++) {
		bool of_file = verdict_is(v, VERDICT_OF_FILE);

		assert_true(*verdict_meaning(v) != '\0');
		assert_int_equal(verdict_of(verdict_word(v)),
				 of_file ? VERDICT_UNKNOWN : v);
	}
	assert_int_equal(verdict_of("fault:illegal"), VERDICT_FAULT);
	assert_int_equal(verdict_of("fault"), VERDICT_UNKNOWN);
	assert_int_equal(verdict_of("okay"), VERDICT_UNKNOWN);
	assert_int_equal(verdict_of(""), VERDICT_UNKNOWN);
	assert_true(VERDICT_UNKNOWN > 20);
}

/* A model has decided on each, and takes none that has no value. */
TEST(every_verdict_is_decided)
{
	for (enum verdict v = 0; v <= VERDICT_UNKNOWN; v++) {
		struct claim c = { .has_value = true,
				   .low_cycles = 1,
				   .high_cycles = 1,
				   .verdict = v };
		enum verdict_gives gives = verdict_gives(v);
		double one;

		if (gives <= VERDICT_GIVES_SEEN)
			assert_false(claim_taken(&c));
		if (gives >= VERDICT_GIVES_INTERVAL)
			assert_true(claim_settled(&c));
		assert_int_equal(claim_two_values(&c),
				 gives == VERDICT_GIVES_BOTH);
		assert_int_equal(claim_exact(&c, &one),
				 claim_settled(&c) && !claim_two_values(&c));
		c.has_value = false;
		assert_false(claim_taken(&c) || claim_settled(&c));
	}
	assert_true(verdict_is(VERDICT_MIXTURE, VERDICT_SETTLED));
	assert_true(verdict_is(VERDICT_OPEN, VERDICT_PORTS));
	assert_false(verdict_is(VERDICT_OPEN, VERDICT_SETTLED));
}

static int print_verdict(void *context, const struct claim *c, struct err *e)
{
	char *at = context;

	(void)e;
	(void)sprintf(at + strlen(at), "%s %d; ", claim_verdict(c),
		      c->verdict == VERDICT_UNKNOWN);
	return 0;
}

static void put(struct scratch *t, struct claim c)
{
	c.label = c.detail = c.source = c.destination = "";
	c.kind = "throughput";
	ok(t, store_claim(t->s, &c, &t->err));
}

/* The cause of a fault stays, and a word of a later version; a word of an older
 * version is that of today. */
TEST(a_database_keeps_words)
{
	struct scratch *t = *state;
	int64_t run = new_run(t);
	struct claim fault = { .run = run, .form = "A" };
	char all[200] = "";

	claim_set_fault(&fault, &t->arena, "illegal");
	ok(t, store_claims_begin(t->s, run, &t->err));
	put(t, fault);
	put(t, (struct claim){ .run = run,
			       .form = "B",
			       .verdict = VERDICT_UNKNOWN,
			       .verdict_text = "a new one" });
	put(t, (struct claim){ .run = run,
			       .form = "C",
			       .verdict = VERDICT_UNKNOWN,
			       .verdict_text = "company" });
	put(t, (struct claim){ .run = run,
			       .form = "D",
			       .verdict = VERDICT_TWO_STATES });
	ok(t, store_commit(t->s, &t->err));
	reopen(t);
	ok(t, store_claims(t->s, run, NULL, print_verdict, all, &t->err));
	assert_string_equal(all, "fault:illegal 0; a new one 1; "
				 "interference 0; two-states 0; ");
}
