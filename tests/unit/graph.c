/* Latency cycles through register classes: bounds of the parts from the
 * sums. */
#include "host/isa/carrier.h"
#include "host/isa/catalogue.h"
#include "tests/unit/graph_bench.h"

EACH_NEW(struct judge_bench, judge_end);

static const struct isa_carrier carriers[] = {
	{ BANK_GPR, "AND@1>0+ADD@2>0", 0 },
	{ BANK_NONE, NULL, 0 },
};

/* A chain that comes back through carriers of a cycle each, and its broken
 * twin. */
static void carry(struct judge_bench *b, double sum, double broken, double and)
{
	add(b, "throughput:AND", 0.25);
	add(b, "throughput:ADD", 0.25);
	add(b, "latency:AND@1>0", and);
	add(b, "latency:ADD@2>0", 1);
	add(b, "latency:MUL@0>RAX+AND@1>0+ADD@2>0+~MOV", sum);
	add(b, "control:MUL@0>RAX+AND@1>0+ADD@2>0+~MOV", broken);
	b->carriers = carriers;
	judge(b);
}

TEST_ON(carriers_are_taken_off_a_sum, struct judge_bench *b)
{
	carry(b, 5, 1.5, 1);
	expect(b, "MUL", 3, 3, "ok");
	expect(b, "MUL@0>RAX+AND@1>0+ADD@2>0", 5, 5, "ok");
}

TEST_ON(a_carried_chain_must_cost_more_than_its_twin, struct judge_bench *b)
{
	carry(b, 3, 3, 1);
	expect(b, "MUL", 1, 1, "throughput-bound");
}

/* As slow without its chain as with it, the pair has one claim all the same. */
TEST(a_chain_made_longer_shows)
{
	static const double twins[] = { 3, 4 };

	for (size_t i = 0; i < ARRAY_LEN(twins); i++) {
		SCOPED(judge_end) struct judge_bench b = { .n = 0 };
		size_t n = 0;

		add(&b, "latency:MUL@0>RAX", 3);
		add(&b, "control:MUL@0>RAX", 3);
		carry(&b, 4, twins[i], 1);
		expect(&b, "MUL", i ? 1 : 2, i ? 3 : 2,
		       i ? "throughput-bound" : "ok");
		for (size_t k = 0; k < b.n_claims; k++)
			n += strcmp(b.claims[k].form, "MUL") == 0;
		assert_int_equal(n, 1);
	}
}

TEST_ON(an_eliminated_carrier_leaves_an_interval, struct judge_bench *b)
{
	carry(b, 5, 1.5, 0.25);
	expect(b, "MUL", 3.75, 4, "circle");
}

TEST_ON(a_sum_leaves_an_interval, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:IN@1>0+OUT@1>0", 5);
	judge(b);
	expect(b, "IN", 1, 4, "circle");
	expect(b, "IN@1>0+OUT@1>0", 5, 5, "ok");
}

TEST_ON(the_cheapest_cycle_bounds_the_bridge, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:IN@1>0+OUT@1>0", 5);
	add(b, "latency:OUT@1>0+IN@1>0", 5);
	/* FAST enters as IN does and takes one cycle at least. */
	add(b, "latency:FAST@1>0+OUT@1>0", 3);
	add(b, "latency:CONV@1>0+OUT@1>0", 8);
	judge(b);
	expect(b, "OUT", 1, 2, "circle");
	expect(b, "IN", 3, 4, "circle");
	expect(b, "FAST", 1, 2, "circle");
	expect(b, "CONV", 6, 7, "circle");
}

TEST_ON(sums_of_two_are_exact, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:IN@1>0+OUT@1>0", 2);
	add(b, "latency:CONV@1>0+OUT@1>0", 6);
	judge(b);
	expect(b, "IN", 1, 1, "ok");
	expect(b, "CONV", 5, 5, "ok");
}

/* Both could be throughput: only an upper bound is left. */
TEST_ON(a_cycle_that_does_not_show_bounds_from_above, struct judge_bench *b)
{
	add(b, "throughput:IN", 2);
	add(b, "throughput:OUT", 0.5);
	add(b, "throughput:CONV", 8);
	add(b, "latency:IN@1>0+OUT@1>0", 4);
	add(b, "latency:CONV@1>0+OUT@1>0", 8);
	judge(b);
	expect(b, "CONV", 1, 7, "circle");
	expect(b, "CONV@1>0+OUT@1>0", 2, 8, "throughput-bound");
	expect(b, "IN@1>0+OUT@1>0", 4, 4, "ok");
}

/* Nor is it known to go through its head: LOAD may give a result that its base
 * has no part in. */
TEST_ON(a_cycle_that_does_not_show_bounds_only_its_head, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "throughput:LOAD", 4);
	add(b, "latency:LOAD@1>0+OUT@1>0", 4);
	add(b, "latency:CONV@1>0+OUT@1>0", 12);
	judge(b);
	expect(b, "LOAD", 1, 3, "circle");
	expect(b, "CONV", 1, 11, "circle");
}

/* What goes round may be OUT alone, through an operand that is tied to its
 * result: CMOV behind a comparison, on a core where only it is slow. */
TEST_ON(a_part_that_goes_round_alone_hides_the_cycle, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:OUT@2>0", 4);
	add(b, "control:OUT@2>0", 0.25);
	add(b, "latency:IN@1>0+OUT@1>0", 4);
	judge(b);
	expect(b, "IN", 1, 3, "circle");
	expect(b, "IN@1>0+OUT@1>0", 2, 4, "throughput-bound");
}

/* Locked accesses: one after the other they cost more than a latency cycle
 * through one of them, whose delays overlap with it. */
TEST(a_twin_of_a_cycle_tells_that_it_shows)
{
	static const double twins[] = { 20, 23 };

	for (size_t i = 0; i < ARRAY_LEN(twins); i++) {
		SCOPED(judge_end) struct judge_bench b = { .n = 0 };

		add(&b, "throughput:LOCK", 22);
		add(&b, "throughput:DELAY", 1);
		add(&b, "latency:DELAY@1>0", 9);
		add(&b, "control:DELAY@1>0", 1);
		add(&b, "latency:LOCK@2>0+DELAY@1>0+DELAY@1>0", 23);
		add(&b, "control:LOCK@2>0+DELAY@1>0+DELAY@1>0", twins[i]);
		judge(&b);
		expect(&b, "LOCK", i ? 1 : 5, 5, i ? "circle" : "ok");
	}
}

/* As long with a chain behind it as without: it is no part of the chain. */
TEST(a_longer_cycle_that_costs_no_more_is_no_chain)
{
	static const double longer[] = { 20, 24 };

	for (size_t i = 0; i < ARRAY_LEN(longer); i++) {
		SCOPED(judge_end) struct judge_bench b = { .n = 0 };

		add_throughputs(&b);
		add(&b, "throughput:LOCK", 20);
		add(&b, "throughput:DELAY", 1);
		add(&b, "latency:DELAY@1>0", 11);
		add(&b, "control:DELAY@1>0", 1);
		add(&b, "latency:LOCK@2>0+OUT@1>0", 20);
		add(&b, "latency:LOCK@2>0+DELAY@1>0+DELAY@1>0+OUT@1>0",
		    longer[i]);
		judge(&b);
		if (i)
			expect(&b, "LOCK", 1, 1, "ok");
		else
			assert_string_equal(
				claim_verdict(latency_of(&b, "LOCK")),
				"no-chain");
	}
}

TEST_ON(sums_below_the_least_are_no_chain, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:IN@1>0+OUT@1>0", 1.5);
	judge(b);
	assert_string_equal(claim_verdict(latency_of(b, "IN")), "no-chain");
	assert_false(latency_of(b, "IN")->has_value);
	assert_string_equal(claim_verdict(latency_of(b, "IN@1>0+OUT@1>0")),
			    "no-chain");
	assert_false(latency_of(b, "IN@1>0+OUT@1>0")->has_value);
}

/* Visits came and did not agree: that is why, not that nothing arrived. */
TEST(a_cycle_without_a_value_says_why)
{
	static const struct {
		enum verdict state;
		const char *verdict, *detail;
	} rows[] = {
		{ VERDICT_NOISY, "noisy", "too few undisturbed visits" },
		{ VERDICT_INTERFERENCE, "interference", "other instructions" },
		{ VERDICT_MISSING, "missing", "no samples" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(judge_end) struct judge_bench b = { .n = 0 };

		add_throughputs(&b);
		add(&b, "latency:IN@1>0+OUT@1>0", 1.78);
		b.records[b.n - 1].estimate = (struct estimate){
			.state = rows[i].state,
		};
		judge(&b);
		assert_false(latency_of(&b, "IN")->has_value);
		assert_string_equal(claim_verdict(latency_of(&b, "IN")),
				    rows[i].verdict);
		assert_part(latency_of(&b, "IN")->detail, rows[i].detail);
	}
}

/* What the renamer does takes no cycle on the way through flags either. */
TEST_ON(a_renamed_form_adds_nothing_to_a_sum, struct judge_bench *b)
{
	add_throughputs(b);
	add(b, "latency:IN@2>0", 0.25);
	add(b, "latency:IN@1>F+OUT@F>0", 1);
	judge(b);
	expect(b, "IN@1>F+OUT@F>0", 1, 1, "ok");
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].destination, "F") == 0) {
			assert_string_equal(claim_verdict(&b->claims[i]),
					    "eliminated");
			assert_float_equal(b->claims[i].high_cycles, 0, 1e-9);
		}
}
