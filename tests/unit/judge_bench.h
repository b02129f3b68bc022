/* Records that are made into claims: what the tests of single judgements share.
 * cmocka passes the bench as *state. */
#ifndef TEST_JUDGE_BENCH_H
#define TEST_JUDGE_BENCH_H

#include "host/solve/judge.h"
#include "tests/unit/record.h"
#include "tests/unit/unit.h"

enum { JUDGE_MAX = 160, JUDGE_CLAIMS = 4 * JUDGE_MAX };

struct judge_bench {
	struct arena arena;
	struct err err;
	struct record records[JUDGE_MAX];
	size_t n;
	struct claim claims[JUDGE_CLAIMS];
	size_t n_claims;
	const struct isa_carrier *carriers; /* of graph_bench.h */
};

static inline void judge_end(struct judge_bench *b)
{
	arena_free(&b->arena);
}

/* Add the record of a kernel with two speeds, or one; high < 0: none. */
static inline struct record *judge_add(struct judge_bench *b, const char *label,
				       double low, double high)
{
	struct record *r = &b->records[b->n];

	assert_true(b->n < JUDGE_MAX);
	*r = record_of(&b->arena, b->n++, label, low);
	r->estimate.high = high;
	r->estimate.has_value = high >= 0;
	if (high < 0)
		r->estimate.state = VERDICT_NOT_LINEAR;
	else if (low != high)
		r->estimate.state = VERDICT_TWO_STATES;
	return r;
}

static inline int judge_keep(void *context, struct claim *c, struct err *e)
{
	struct judge_bench *b = context;

	(void)e;
	assert_true(b->n_claims < JUDGE_CLAIMS);
	b->claims[b->n_claims++] = *c;
	return 0;
}

/* Judge the records, once, on a machine that issues at most `width`
 * instructions in a cycle, in a run that asks for latencies if it has any. */
static inline void judge_all(struct judge_bench *b, uint32_t width)
{
	struct judge_sink sink = { .max_width = width,
				   .loop_behind = 1,
				   .each = judge_keep,
				   .context = b };

	if (b->n_claims > 0)
		return;
	for (size_t i = 0; i < b->n; i++)
		sink.latencies |=
			b->records[i].label.kind == EXPERIMENT_LATENCY;
	assert_ok(judge_records(&b->arena, b->records, b->n, &sink, &b->err),
		  &b->err);
}

/* On a machine of width 8: claim `i` must be this one. */
static inline void judge_claims(struct judge_bench *b, size_t i,
				const char *form, const char *verdict,
				double low, double high)
{
	const struct claim *c = &b->claims[i];

	judge_all(b, 8);
	assert_true(i < b->n_claims);
	assert_string_equal(c->form, form);
	assert_string_equal(claim_verdict(c), verdict);
	assert_true(c->has_value == (high >= 0));
	if (c->has_value && (c->low_cycles != low || c->high_cycles != high))
		print_error("%s: %g %g\n", c->form, c->low_cycles,
			    c->high_cycles);
	assert_true(!c->has_value ||
		    (c->low_cycles == low && c->high_cycles == high));
}

#endif
