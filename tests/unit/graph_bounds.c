/* Latency cycles whose parts are mixtures, means and bounds, and the
 * controls that prove a sum. */
#include "tests/unit/graph_bench.h"

EACH_NEW(struct judge_bench, judge_end);

/* A sum that is not a whole number is a mean, and so is each part: the sum
 * does not show which part varies. */
TEST_ON(parts_of_a_mixture_are_mixtures, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:IN@1>0+OUT@1>0", 2);
	add(b, "latency:CONV@1>0+OUT@1>0", 2.75);
	/* Two means of one part are no contradiction. */
	add(b, "latency:FAST@1>0+IN@1>0", 2.6);
	add(b, "latency:FAST@1>0+OUT@1>0", 2.8);
	judge(b);
	expect(b, "CONV@1>0+OUT@1>0", 2.75, 2.75, "mixture");
	expect(b, "CONV", 1.75, 1.75, "mixture");
	expect(b, "FAST", 1.8, 1.8, "mixture");
	expect(b, "IN", 1, 1, "ok");
	expect(b, "IN@1>0+OUT@1>0", 2, 2, "ok");
}

/* A value that other latency cycles fix, but this one's mean exceeds, is not
 * exact. */
TEST_ON(a_mean_above_the_known_value_widens_it, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:FAST@1>0+IN@1>0", 2);
	add(b, "latency:FAST@1>0+OUT@1>0", 2);
	add(b, "latency:IN@1>0+OUT@1>0", 2.75);
	judge(b);
	expect(b, "FAST", 1, 1, "ok");
	expect(b, "IN", 1, 1.75, "circle");
}

/* Bounds of a mean are bounds, and the claim says so. */
TEST_ON(an_interval_of_a_mixture_says_so, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:IN@1>0+OUT@1>0", 5.5);
	judge(b);
	expect(b, "IN", 1, 4.5, "circle");
	assert_part(latency_of(b, "IN")->detail, "a mean");
}

/* Sums that agree, from which IN and OUT take 1 cycle, CONV 3 and FAST 2. */
static void add_agreeing(struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:IN@1>0+OUT@1>0", 2);
	add(b, "latency:CONV@1>0+IN@1>0", 4);
	add(b, "latency:CONV@1>0+OUT@1>0", 4);
	add(b, "latency:FAST@1>0+OUT@1>0", 3);
	add(b, "latency:FAST@1>0+IN@1>0", 3);
}

static void expect_agreeing(const struct judge_bench *b)
{
	expect(b, "IN", 1, 1, "ok");
	expect(b, "CONV", 3, 3, "ok");
	expect(b, "FAST", 2, 2, "ok");
}

/* A sum that contradicts others, which agree, takes no value from them. */
TEST_ON(an_impossible_sum_is_left_out, struct judge_bench *b)
{
	add_agreeing(b);
	add(b, "latency:FAST@1>0+CONV@1>0", 9);
	judge(b);
	expect_agreeing(b);
	expect(b, "FAST@1>0+CONV@1>0", 9, 9, "ok");
}

/* Of two sums of one form that contradict each other neither is believed; with
 * a third the one that it agrees with is. */
TEST(two_sums_without_a_third_have_no_value)
{
	for (int third = 0; third < 2; third++) {
		SCOPED(judge_end) struct judge_bench b = { .n = 0 };

		(void)state;
		add_agreeing(&b);
		add(&b, "throughput:LOCK", 0.25);
		add(&b, "latency:LOCK@1>0+IN@1>0", 5);
		add(&b, "latency:LOCK@1>0+OUT@1>0", 7);
		if (third)
			add(&b, "latency:LOCK@1>0+CONV@1>0", 7);
		judge(&b);
		expect_agreeing(&b);
		if (third) {
			expect(&b, "LOCK", 4, 4, "ok");
		} else {
			const struct claim *c = latency_of(&b, "LOCK");

			assert_string_equal(claim_verdict(c), "contradiction");
			assert_false(c->has_value);
			assert_part(c->detail, "LOCK@1>0+");
		}
	}
}

/* Twenty forms, each with two sums that agree and one that does not, each with
 * another helper and by another time: an order of all sums is seldom right for
 * all of them. */
TEST_ON(many_impossible_sums_are_left_out, struct judge_bench *b)
{
	enum { FORMS = 20 };
	static const struct {
		const char *name;
		int cycles;
	} backs[] = { { "IN", 1 }, { "OUT", 1 }, { "CONV", 3 } };

	add_agreeing(b);
	for (int i = 0; i < FORMS; i++) {
		add(b, arena_printf(&b->arena, "throughput:L%d", i), 0.25);
		for (size_t k = 0; k < ARRAY_LEN(backs); k++)
			add(b,
			    arena_printf(&b->arena, "latency:L%d@1>0+%s@1>0", i,
					 backs[k].name),
			    4 + backs[k].cycles +
				    (k == (size_t)i % 3 ? 3 + i : 0));
	}
	judge(b);
	expect_agreeing(b);
	for (int i = 0; i < FORMS; i++)
		expect(b, arena_printf(&b->arena, "L%d", i), 4, 4, "ok");
}

/* Instances wait for their registers, and no visible chain gives the time. */
TEST(an_unknown_latency_may_bound_the_throughput)
{
	static const char *const verdicts[] = { "ok", "register-bound" };

	for (size_t asked = 0; asked < 2; asked++) {
		SCOPED(judge_end) struct judge_bench b = { .n = 0 };

		add(&b, "throughput:SWAP", 17);
		b.records[0].chains = 12;
		if (asked)
			add(&b, "latency:OTHER@1>0", 2);
		judge(&b);
		for (size_t i = 0; i < b.n_claims; i++)
			if (strcmp(b.claims[i].form, "SWAP") == 0)
				assert_string_equal(claim_verdict(&b.claims[i]),
						    verdicts[asked]);
		assert_int_equal(b.n_claims, 1 + asked);
	}
}

/* A latency cycle that begins with the form gives an upper bound. */
TEST(a_cycle_says_how_long_its_head_waits)
{
	static const struct {
		double sum;
		const char *verdict;
	} rows[] = { { 19, "ok" }, { 230, "register-bound" } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(judge_end) struct judge_bench b = { .n = 0 };
		size_t found = 0;

		add(&b, "throughput:SWAP", 17);
		b.records[0].chains = 12;
		add(&b, "throughput:BACK", 0.25);
		add(&b, "latency:SWAP@1>0+BACK@1>0", rows[i].sum);
		judge(&b);
		for (size_t k = 0; k < b.n_claims; k++)
			if (strcmp(b.claims[k].form, "SWAP") == 0 &&
			    strcmp(b.claims[k].kind, "throughput") == 0) {
				assert_string_equal(claim_verdict(&b.claims[k]),
						    rows[i].verdict);
				found++;
			}
		assert_int_equal(found, 1);
	}
}

/* A sum whose parts' throughput is not known may be the throughput. */
TEST_ON(a_sum_without_controls_is_not_proven, struct judge_bench *b)
{
	add(b, "latency:CONV@1>0+OUT@1>0", 5);
	add(b, "throughput:CONV", 0.25);
	judge(b);
	expect(b, "CONV@1>0+OUT@1>0", 5, 5, "no-control");
	expect(b, "CONV", 1, 4, "circle");
}

/* Whole iterations of a disturbed part are an upper bound of its throughput. */
TEST_ON(a_disturbed_part_proves_a_sum, struct judge_bench *b)
{
	add(b, "latency:CONV@1>0+OUT@1>0", 5);
	add(b, "throughput:CONV", 0.25);
	add(b, "throughput:OUT", 0);
	b->records[b->n - 1].estimate =
		(struct estimate){ .state = VERDICT_NOISY, .bound = 0.52 };
	judge(b);
	expect(b, "CONV@1>0+OUT@1>0", 5, 5, "ok");
}

/* A run measures independent instances of a form that was not chosen as a
 * control. They make no throughput claim. */
TEST_ON(a_control_proves_a_sum, struct judge_bench *b)
{
	add(b, "latency:CONV@1>0+OUT@1>0", 5);
	add(b, "throughput:CONV", 0.25);
	add(b, "control:OUT", 0.25);
	judge(b);
	expect(b, "CONV@1>0+OUT@1>0", 5, 5, "ok");
	b->n = b->n_claims = 0;
	add(b, "latency:CONV@1>0+OUT@1>0", 5);
	add(b, "throughput:CONV", 2.5);
	add(b, "control:OUT", 2.5);
	judge(b);
	expect(b, "CONV@1>0+OUT@1>0", 2, 5, "throughput-bound");
}

/* The addition after a load has a chain of its own. */
TEST_ON(a_part_with_its_own_chain_bounds_the_other, struct judge_bench *b)
{
	add(b, "latency:LOAD@1>0+ADD@1>0", 6);
	add(b, "latency:ADD@1>0", 1);
	add(b, "throughput:LOAD", 0.5);
	add(b, "throughput:ADD", 0.25);
	judge(b);
	expect(b, "LOAD", 5, 5, "ok");
	b->n = b->n_claims = 0;
	/* A hidden one is only bounded. */
	add(b, "latency:LOAD@1>0+MUL@1>0", 6);
	add(b, "latency:MUL@1>0", 3);
	add(b, "throughput:LOAD", 0.5);
	add(b, "throughput:MUL", 3);
	judge(b);
	expect(b, "LOAD", 3, 5, "circle");
}

/* On a core that starts one instruction at a time a helper costs as much as the
 * chain.  Without it the chain has more dependencies, and takes no longer: an
 * upper bound, exact if it is a cycle for each part. */
TEST_ON(a_chain_without_its_helper_is_a_bound, struct judge_bench *b)
{
	add(b, "latency:ADCS@1>0+~ADDS", 2);
	add(b, "latency:ADCS@1>0", 1);
	add(b, "latency:ADCS@1>C+CSINC@C>0+~ADDS", 3);
	add(b, "latency:ADCS@1>C+CSINC@C>0", 2);
	add(b, "throughput:ADCS+~ADDS", 2);
	add(b, "throughput:CSINC", 1);
	judge(b);
	for (size_t i = 0; i < b->n_claims; i++) {
		const struct claim *c = &b->claims[i];
		bool is_sum = strchr(c->form, '+') != NULL;

		if (strcmp(c->kind, "latency") != 0)
			continue;
		assert_string_equal(claim_verdict(c), "ok");
		assert_float_equal(c->low_cycles, is_sum ? 2 : 1, 1e-9);
		assert_float_equal(c->high_cycles, is_sum ? 2 : 1, 1e-9);
	}
}

/* More than a cycle may come from another dependency. */
TEST_ON(what_it_also_waits_for_is_no_latency, struct judge_bench *b)
{
	add(b, "latency:ADCS@1>0+~ADDS", 4);
	add(b, "latency:ADCS@1>0", 3);
	add(b, "throughput:ADCS+~ADDS", 4);
	judge(b);
	expect(b, "ADCS", 1, 3, "throughput-bound");
	b->n = b->n_claims = 0;
	add(b, "latency:ADCS@1>0+~ADDS", 2);
	add(b, "latency:ADCS@1>0", 3);
	add(b, "throughput:ADCS+~ADDS", 1);
	judge(b);
	expect(b, "ADCS", 2, 2, "ok");
}

/* A record of a log: a label with a part that is no chain. */
TEST_ON(a_cycle_of_something_else_is_none, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:IN@1>0+OUT+FAST@1>0", 3);
	add(b, "latency:IN@1>0+OUT@1>0", 2);
	judge(b);
	expect(b, "IN", 1, 1, "ok");
}
