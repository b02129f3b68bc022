/* The issue width that a run shows, and the bounds that follow from it. */
#include "tests/unit/judge_bench.h"
#include "tests/unit/unit.h"

EACH_NEW(struct judge_bench, judge_end);

static struct record *add(struct judge_bench *b, const char *label,
			  double cycles)
{
	return judge_add(b, label, cycles, cycles);
}

/* The claim of a form on a machine that may issue up to 12 instructions in a
 * cycle; NULL: there is none. */
static const struct claim *judge(struct judge_bench *b, const char *form)
{
	judge_all(b, 12);
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].form, form) == 0)
			return &b->claims[i];
	return NULL;
}

/* With a helper of unknown cost the width is the only lower bound. */
static double bound_of(struct judge_bench *b)
{
	const struct claim *c;

	(void)add(b, "throughput:BOUNDED+~HELPER", 1);
	c = judge(b, "BOUNDED");
	assert_non_null(c);
	assert_string_equal(claim_verdict(c), "helper");
	assert_true(c->high_cycles == 1);
	return c->low_cycles;
}

TEST_ON(fastest_mix_is_the_width, struct judge_bench *b)
{
	(void)add(b, "mix:NOP", 0.2);
	(void)add(b, "mix:4xA+2xB", 1.2002);
	(void)add(b, "mix:MOV", 0.25);
	assert_true(bound_of(b) == 1.0 / 5);
	assert_string_equal(b->claims[0].form, "");
	assert_string_equal(b->claims[0].kind, "issue-width");
	assert_string_equal(claim_verdict(&b->claims[0]), "ok");
	assert_string_equal(b->claims[0].label, "mix:NOP");
	assert_true(b->claims[0].low_cycles == 5);
	assert_true(b->claims[0].high_cycles == 5);
	assert_int_equal(b->n_claims, 2);
}

/* The width also decides about mixes that are measured later. */
TEST_ON(later_mixes_are_claims, struct judge_bench *b)
{
	const struct claim *c;

	(void)add(b, "mix:NOP+MOV", 0.4);
	(void)add(b, "throughput:LOAD", 0.5);
	(void)add(b, "mix:2xLOAD+STORE", 1.25);
	c = judge(b, "2xLOAD+STORE");
	assert_non_null(c);
	assert_string_equal(c->kind, "mix");
	assert_true(c->low_cycles == 1.25);
	assert_int_equal(b->n_claims, 3);
}

TEST_ON(faster_form_shows_more, struct judge_bench *b)
{
	(void)add(b, "mix:NOP", 0.25);
	(void)add(b, "throughput:FAST", 1.0 / 6);
	assert_true(bound_of(b) == 1.0 / 6);
}

/* The limit is not the front end, which would take whole numbers of cycles. */
TEST_ON(fraction_is_rounded_up, struct judge_bench *b)
{
	(void)add(b, "mix:NOP", 1 / 5.33);
	assert_true(bound_of(b) == 1.0 / 6);
}

TEST_ON(clock_does_not_widen, struct judge_bench *b)
{
	struct record *r = add(b, "mix:NOP", 0.199);

	r->estimate.uncertainty = 0.005;
	assert_true(bound_of(b) == 1.0 / 5);
	assert_true(b->claims[0].low_cycles < 5.01);
	assert_true(b->claims[0].high_cycles > 5.04);
}

/* Issue width five: 17, 33 and 65 instructions take 4, 7 and 13 cycles. */
TEST_ON(small_loops_take_whole_cycles, struct judge_bench *b)
{
	const struct claim *c;

	(void)add(b, "mix:NOP", 0.2);
	(void)add(b, "throughput:FAST", 0.1979);
	(void)add(b, "loop:FAST", 9 / 48.0);
	(void)add(b, "throughput:SLOWER", 0.21);
	(void)add(b, "loop:SLOWER", 0.2);
	assert_true(bound_of(b) == 1.0 / 5);
	c = judge(b, "FAST");
	assert_string_equal(claim_verdict(c), "ok");
	assert_true(c->low_cycles == 0.1979);
	assert_true(judge(b, "SLOWER")->low_cycles == 0.2);
}

/* 9, 33 and 57 instructions take 2, 6.7 and 11.45 cycles, or 2, 7 and 12: both
 * are straight lines, and neither is the form's throughput. */
TEST_ON(rounded_loops_are_bounds, struct judge_bench *b)
{
	const struct claim *c;
	struct record *r;

	(void)add(b, "mix:NOP", 0.2);
	(void)add(b, "throughput:BOTH", 0.2009);
	(void)add(b, "loop:BOTH", 9.45 / 48);
	r = add(b, "throughput:ONLY", 0.2);
	r->estimate.state = VERDICT_NOISY;
	r->estimate.has_value = false;
	(void)add(b, "loop:ONLY", 10 / 48.0);
	r = add(b, "throughput:SLOW", 0.25);
	r->estimate.state = VERDICT_NOISY;
	(void)add(b, "loop:SLOW", 0.25);
	c = judge(b, "BOTH");
	assert_string_equal(claim_verdict(c), "ok");
	assert_true(c->low_cycles == 0.2 && c->high_cycles == 0.2);
	c = judge(b, "ONLY");
	assert_string_equal(claim_verdict(c), "not-linear");
	assert_true(c->low_cycles == 0.2);
	assert_true(c->high_cycles == 10 / 48.0);
	assert_string_equal(claim_verdict(judge(b, "SLOW")), "ok");
}

/* At widths up to four the lengths of small loops have the same remainder. */
TEST_ON(even_loops_are_values, struct judge_bench *b)
{
	struct record *r;

	(void)add(b, "mix:NOP", 0.25);
	r = add(b, "throughput:ONLY", 0.25);
	r->estimate.state = VERDICT_NOISY;
	(void)add(b, "loop:ONLY", 0.251);
	assert_string_equal(claim_verdict(judge(b, "ONLY")), "ok");
}

TEST_ON(unsettled_rates_show_nothing, struct judge_bench *b)
{
	struct record *r;

	(void)add(b, "mix:NOP", 0.25);
	r = add(b, "mix:MOV", 0.1);
	r->estimate.state = VERDICT_UNSTABLE;
	r = add(b, "throughput:FAST", 0.1);
	r->estimate.state = VERDICT_NOISY;
	r = add(b, "mix:A+B", 0.1);
	r->fault = "illegal";
	(void)add(b, "throughput:IMPOSSIBLE", 0.01);
	assert_true(bound_of(b) == 1.0 / 4);
	assert_string_equal(claim_verdict(judge(b, "IMPOSSIBLE")),
			    "implausible");
}

/* Disturbed mixes do not support a width that undisturbed ones could refute. */
TEST_ON(fast_loops_need_the_width, struct judge_bench *b)
{
	const struct claim *c;
	struct record *r;

	r = add(b, "mix:NOP", 0.2);
	r->estimate.state = VERDICT_NOISY;
	(void)add(b, "throughput:FAST", 0.1979);
	(void)add(b, "loop:FAST", 9 / 48.0);
	r = add(b, "throughput:ONLY", 0.2);
	r->estimate.state = VERDICT_NOISY;
	r->estimate.has_value = false;
	(void)add(b, "loop:ONLY", 9 / 48.0);
	(void)add(b, "throughput:SLOW", 0.3);
	(void)add(b, "loop:SLOW", 0.25);
	c = judge(b, "FAST");
	assert_string_equal(claim_verdict(c), "ok");
	assert_true(c->low_cycles == 0.1979);
	c = judge(b, "ONLY");
	assert_false(c->has_value);
	assert_true(judge(b, "SLOW")->low_cycles == 0.25);
}

/* All forms alone may be slower than the issue width. */
TEST_ON(without_mixes_no_core_issues_more, struct judge_bench *b)
{
	(void)add(b, "throughput:SLOW", 3);
	assert_true(bound_of(b) == 1.0 / 12);
	assert_null(judge(b, ""));
}

/* The claim of a run whose shortest loop takes so many cycles; NULL: none. */
static const struct claim *shortest_loop(struct judge_bench *b, double cycles)
{
	(void)add(b, "mix:NOP", 1.0 / 6);
	add(b, "iteration:NOP", 0.16)->estimate.shortest = cycles;
	(void)judge(b, "none");
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].kind, "iteration") == 0)
			return &b->claims[i];
	return NULL;
}

TEST_ON(loops_of_less_than_a_cycle_are_claimed, struct judge_bench *b)
{
	SCOPED(judge_end) struct judge_bench whole = { .n = 0 };
	SCOPED(judge_end) struct judge_bench unknown = { .n = 0 };
	const struct claim *c = shortest_loop(b, 0.5);

	assert_non_null(c);
	assert_string_equal(c->form, "");
	assert_string_equal(claim_verdict(c), "ok");
	assert_string_equal(c->label, "iteration:NOP");
	assert_true(c->low_cycles <= 0.5 && c->high_cycles >= 0.5);
	assert_null(shortest_loop(&whole, 1.0));
	assert_null(shortest_loop(&unknown, 0));
}

/* The claim of this kind and these lines; NULL: none. */
static const struct claim *lines_claim(const struct judge_bench *b,
				       const char *kind, const char *first,
				       const char *second)
{
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].kind, kind) == 0 &&
		    strcmp(b->claims[i].source, first) == 0 &&
		    strcmp(b->claims[i].destination, second) == 0)
			return &b->claims[i];
	return NULL;
}

/* A loop that some visits take at another speed has both, and the visits that
 * have them. */
TEST_ON(loops_have_two_states, struct judge_bench *b)
{
	struct estimate *m;
	const struct claim *c;

	(void)add(b, "mix:NOP", 1.0 / 6);
	m = &add(b, "iteration:5xNOP+8xNOP", 0.16)->estimate;
	m->without_reading = true;
	m->shortest = 1.6;
	m->shortest_slow = 2;
	m->n_shortest = 7;
	(void)judge(b, "none");
	c = lines_claim(b, "iteration", "6", "9");
	assert_non_null(c);
	assert_string_equal(claim_verdict(c), "two-states");
	assert_true(c->low_cycles <= 1.6 && c->high_cycles >= 2);
	assert_int_equal(c->visits, 7);
}

/* The decrement is in the first line, the branch in the last. */
TEST_ON(loops_are_claimed_by_their_lines, struct judge_bench *b)
{
	const struct claim *one, *two;

	add(b, "mix:NOP", 1.0 / 6)->estimate.shortest = 1.0 / 6;
	add(b, "iteration:NOP", 0.16)->estimate.shortest = 1;
	add(b, "iteration:7xNOP", 0.16)->estimate.shortest = 2;
	add(b, "iteration:5xNOP+8xNOP", 0.16)->estimate.shortest = 3;
	add(b, "iteration:5xNOP+9xNOP", 0.16)->estimate.shortest = 0;
	add(b, "crossing:2xNOP", 0.16)->estimate.shortest = 2;
	for (size_t i = 0; i < b->n; i++)
		b->records[i].estimate.without_reading = true;
	add(b, "iteration:8xNOP", 0.16)->estimate.shortest = 2;
	(void)judge(b, "none");
	one = lines_claim(b, "iteration", "9", "");
	two = lines_claim(b, "iteration", "6", "9");
	assert_non_null(one);
	assert_non_null(two);
	assert_string_equal(two->form, "");
	assert_true(one->low_cycles <= 2 && one->high_cycles >= 2);
	assert_true(two->low_cycles <= 3 && two->high_cycles >= 3);
	assert_null(lines_claim(b, "iteration", "6", "10"));
	/* With the cost of a reading it is no time of an iteration. */
	assert_null(lines_claim(b, "iteration", "10", ""));
	assert_null(lines_claim(b, "iteration", "", ""));
	assert_non_null(lines_claim(b, "crossing", "4", ""));
}
