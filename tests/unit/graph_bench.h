/* Records of a bench and the claims that follow from them, for tests of sums
 * over cycles of forms. */
#ifndef TESTS_UNIT_GRAPH_BENCH_H
#define TESTS_UNIT_GRAPH_BENCH_H

#include <stdio.h>
#include <string.h>

#include "host/solve/judge.h"
#include "tests/unit/record.h"
#include "tests/unit/unit.h"

enum { MAX = 160 };

struct bench {
	struct arena arena;
	struct record records[MAX];
	size_t n;
	struct claim claims[MAX * 4];
	const struct isa_carrier *carriers;
	size_t n_claims;
};

static inline void add(struct bench *b, const char *label, double cycles)
{
	struct record *r = &b->records[b->n];

	*r = record_of(&b->arena, b->n++, label, cycles);
}

static inline int keep(void *context, struct claim *c, struct err *e)
{
	struct bench *b = context;

	(void)e;
	b->claims[b->n_claims++] = *c;
	return 0;
}

static inline void judge(struct bench *b)
{
	struct judge_sink sink = { .max_width = 8,
				   .carriers = b->carriers,
				   .each = keep,
				   .context = b };
	struct err e = { .code = ERR_OK };

	for (size_t i = 0; i < b->n; i++)
		sink.latencies |=
			b->records[i].label.kind == EXPERIMENT_LATENCY;
	assert_int_equal(judge_records(&b->arena, b->records, b->n, &sink, &e),
			 ERR_OK);
}

static inline const struct claim *latency_of(const struct bench *b,
					     const char *form)
{
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].form, form) == 0 &&
		    strcmp(b->claims[i].kind, "latency") == 0)
			return &b->claims[i];
	fail_msg("no latency of %s", form);
	return NULL;
}

static inline void expect(const struct bench *b, const char *form, double low,
			  double high, const char *verdict)
{
	const struct claim *c = latency_of(b, form);

	assert_string_equal(c->verdict, verdict);
	assert_float_equal(c->low_cycles, low, 1e-9);
	assert_float_equal(c->high_cycles, high, 1e-9);
}

/* Throughputs with which every latency cycle is visible. */
static inline void add_throughputs(struct bench *b)
{
	add(b, "throughput:IN", 0.25);
	add(b, "throughput:OUT", 0.25);
	add(b, "throughput:CONV", 0.25);
	add(b, "throughput:FAST", 0.25);
}

#endif
