/* Records of a bench and the claims that follow from them, for tests of sums
 * over cycles of forms. */
#ifndef TESTS_UNIT_GRAPH_BENCH_H
#define TESTS_UNIT_GRAPH_BENCH_H

#include "tests/unit/judge_bench.h"

static inline void add(struct judge_bench *b, const char *label, double cycles)
{
	struct record *r = &b->records[b->n];

	*r = record_of(&b->arena, b->n++, label, cycles);
}

static inline void judge(struct judge_bench *b)
{
	struct judge_sink sink = { .max_width = 8,
				   .carriers = b->carriers,
				   .each = judge_keep,
				   .context = b };
	struct err e = { .code = ERR_OK };

	for (size_t i = 0; i < b->n; i++)
		sink.latencies |=
			b->records[i].label.kind == EXPERIMENT_LATENCY;
	assert_ok(judge_records(&b->arena, b->records, b->n, &sink, &e), &e);
}

static inline const struct claim *latency_of(const struct judge_bench *b,
					     const char *form)
{
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].form, form) == 0 &&
		    strcmp(b->claims[i].kind, "latency") == 0)
			return &b->claims[i];
	fail_msg("no latency of %s", form);
	return NULL;
}

static inline void expect(const struct judge_bench *b, const char *form,
			  double low, double high, const char *verdict)
{
	const struct claim *c = latency_of(b, form);

	assert_string_equal(claim_verdict(c), verdict);
	assert_float_equal(c->low_cycles, low, 1e-9);
	assert_float_equal(c->high_cycles, high, 1e-9);
}

/* Throughputs with which every latency cycle is visible. */
static inline void add_throughputs(struct judge_bench *b)
{
	add(b, "throughput:IN", 0.25);
	add(b, "throughput:OUT", 0.25);
	add(b, "throughput:CONV", 0.25);
	add(b, "throughput:FAST", 0.25);
}

#endif
