/* Errors in published results of other tools, a test for each: here ranges that
 * say nothing, or have a minimum above the maximum.  See peers.c. */
#include "tests/unit/judge_bench.h"

enum { MAX = 16 };

EACH_NEW(struct judge_bench, judge_end);

static void add(struct judge_bench *b, const char *label, double low,
		double high)
{
	struct record *r = &b->records[b->n];

	assert_true(b->n < MAX);
	*r = record_of(&b->arena, b->n++, label, low);
	r->estimate.high = high;
	if (low < high)
		r->estimate.state = VERDICT_TWO_STATES;
}

/* No claim has a lower bound above its upper bound. */
static void judge(struct judge_bench *b)
{
	struct judge_sink sink = { .max_width = 12,
				   .each = judge_keep,
				   .context = b };
	struct err e = { .code = ERR_OK };

	b->n_claims = 0;
	assert_int_equal(judge_records(&b->arena, b->records, b->n, &sink, &e),
			 0);
	for (size_t i = 0; i < b->n_claims; i++)
		if (b->claims[i].has_value &&
		    !(b->claims[i].low_cycles <= b->claims[i].high_cycles))
			fail_msg("%s %s: %g..%g", b->claims[i].kind,
				 b->claims[i].form, b->claims[i].low_cycles,
				 b->claims[i].high_cycles);
}

static const struct claim *claim_of(const struct judge_bench *b,
				    const char *form, const char *kind)
{
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].form, form) == 0 &&
		    strcmp(b->claims[i].kind, kind) == 0)
			return &b->claims[i];
	fail_msg("no %s of %s", kind, form);
	return NULL;
}

static double random_cycles(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return 0.1 + (double)(*seed >> 40 & 0xfff) / 512;
}

TEST(peer_09_no_minimum_above_the_maximum)
{
	uint64_t seed = 9;

	for (int round = 0; round < 2000; round++) {
		SCOPED(judge_end) struct judge_bench b = { .n = 0 };
		double x = random_cycles(&seed);
		double h = random_cycles(&seed);
		double mix = random_cycles(&seed);

		add(&b, "latency:F@1>0", x, x);
		add(&b, "control:F@1>0", h, h);
		add(&b, "latency:F@2>0", mix, mix + x);
		add(&b, "throughput:F+~H", mix, mix);
		add(&b, "throughput:F+~H+~I", x, x);
		add(&b, "dependent:F", h, h + x);
		add(&b, "throughput:H", h, h);
		judge(&b);
		assert_true(b.n_claims >= 4);
	}
}

/* A mix at the issue width, measured slightly too fast, does not get a value
 * below its bound. */
TEST_ON(peer_09_bounds_meet_at_the_issue_width, struct judge_bench *b)
{
	add(b, "throughput:F+~H", 0.082, 0.082);
	add(b, "throughput:H", 0.082, 0.082);
	judge(b);
	assert_true(claim_of(b, "F", "throughput")->has_value);
}

/* Bounds from sums with errors of one percent may cross; the claim is the value
 * between them. */
TEST_ON(peer_09_cycles_that_nearly_agree_meet, struct judge_bench *b)
{
	const struct claim *c;

	add(b, "latency:A@1>0+B@1>0", 2.02, 2.02);
	add(b, "latency:B@1>0+D@1>0", 2, 2);
	add(b, "latency:A@1>0+C@1>0", 2, 2);
	add(b, "throughput:A", 0.25, 0.25);
	add(b, "throughput:B", 0.25, 0.25);
	add(b, "throughput:C", 0.25, 0.25);
	add(b, "throughput:D", 0.25, 0.25);
	judge(b);
	c = claim_of(b, "A", "latency");
	assert_true(c->has_value);
	assert_true(c->low_cycles >= 1 && c->high_cycles <= 1.03);
}

/* [1;7] was published although another latency cycle gives 6. */
TEST_ON(peer_09_ranges_are_not_vacuous, struct judge_bench *b)
{
	const struct claim *c;

	add(b, "latency:A@1>0+B@1>0", 7, 7);
	add(b, "latency:B@1>0+C@1>0", 2, 2);
	add(b, "throughput:A", 0.25, 0.25);
	add(b, "throughput:B", 0.25, 0.25);
	add(b, "throughput:C", 0.25, 0.25);
	judge(b);
	c = claim_of(b, "A", "latency");
	assert_true(c->low_cycles == 6 && c->high_cycles == 6);
	assert_string_equal(claim_verdict(c), "ok");
	c = claim_of(b, "B", "latency");
	assert_true(c->low_cycles == 1 && c->high_cycles == 1);
}

/* Bounds of different widths: one end of the latency cycle is known more
 * precisely than the other. */
TEST_ON(peer_09_asymmetric_ranges_bound_each_other, struct judge_bench *b)
{
	const struct claim *c;

	add(b, "latency:A@1>0+B@1>0", 7, 7);
	add(b, "latency:B@1>0+C@1>0", 4, 4);
	add(b, "throughput:A", 0.25, 0.25);
	add(b, "throughput:B", 0.25, 0.25);
	add(b, "throughput:C", 0.25, 0.25);
	judge(b);
	/* B is 1 to 3, so A is 4 to 6. */
	c = claim_of(b, "A", "latency");
	assert_true(c->low_cycles == 4 && c->high_cycles == 6);
	c = claim_of(b, "B", "latency");
	assert_true(c->low_cycles == 1 && c->high_cycles == 3);
}
