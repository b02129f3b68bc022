/* Errors in published results of other tools, a test for each: here those of
 * solving and exporting.  peers_ranges.c, peers_kernels.c and peers_forms.c
 * have the others. */
#include <ctype.h>
#include <math.h>

#include "host/codec/codec.h"
#include "host/codec/winic/read.h"
#include "host/experiment/label.h"
#include "host/model/claims.h"
#include "host/solve/estimate.h"
#include "tests/unit/any_run.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/judge_bench.h"

enum { MAX = 24, REPEATS = 3 };

EACH_NEW(struct judge_bench, judge_end);

/* An estimate from three lengths on a core clock, with `overhead` cycles
 * each. */
static struct estimate measured(const uint64_t ticks[PACK_LENGTHS],
				uint64_t iterations)
{
	static const struct shape k = { .unroll = { 10, 20, 30 },
					.ops_per_body = 1 };
	uint64_t values[REPEATS * PACK_LENGTHS];
	struct sample m = { .n_iterations = iterations,
			    .n_rows = REPEATS,
			    .row = PACK_LENGTHS,
			    .values = values };

	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		values[i] = ticks[i % PACK_LENGTHS];
	return estimate_core(&k, &m, 1, COMBINE_LOWEST);
}

/* Ticks of instances of this cost, in hundredths of a cycle. */
static struct estimate costing(uint64_t hundredths, uint64_t overhead)
{
	enum { ITERATIONS = 100 };
	uint64_t ticks[PACK_LENGTHS];

	for (uint64_t i = 0; i < PACK_LENGTHS; i++)
		ticks[i] = overhead + (i + 1) * 10 * hundredths;
	return measured(ticks, ITERATIONS);
}

static void add(struct judge_bench *b, const char *label, struct estimate m)
{
	struct record *r = &b->records[b->n];

	assert_true(b->n < MAX);
	m.n_visits = m.visits = 3;
	*r = (struct record){ .text = label,
			      .index = (uint32_t)b->n++,
			      .estimate = m };
	assert_true(label_split(&b->arena, label, &r->label));
}

static struct estimate between(double low, double high)
{
	return (struct estimate){
		.state = low == high ? VERDICT_OK : VERDICT_TWO_STATES,
		.has_value = true,
		.low = low,
		.high = high,
	};
}

static void judge(struct judge_bench *b)
{
	struct judge_sink sink = { .max_width = 12,
				   .each = judge_keep,
				   .context = b };

	b->n_claims = 0;
	assert_ok(judge_records(&b->arena, b->records, b->n, &sink, &b->err),
		  &b->err);
}

static const struct claim *claim_of(const struct judge_bench *b,
				    const char *form, const char *kind)
{
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].form, form) == 0 &&
		    strcmp(b->claims[i].kind, kind) == 0)
			return &b->claims[i];
	return NULL;
}

/* ---- 2 ------------------------------------------------------------------ */

/* Two lengths and no bounds gave throughputs of 0 and latencies of -2. */
TEST_ON(peer_02_nothing_is_free_or_negative, struct judge_bench *b)
{
	static const uint64_t falling[] = { 3000, 2000, 1000 };
	static const uint64_t flat[] = { 1000, 1000, 1000 };
	static const uint64_t bent[] = { 1000, 1100, 4000 };

	assert_true(PACK_LENGTHS >= 3);
	add(b, "throughput:FALLING", measured(falling, 1));
	add(b, "throughput:FLAT", measured(flat, 1));
	add(b, "throughput:BENT", measured(bent, 1));
	add(b, "throughput:TOO_FAST", costing(5, 1000));
	add(b, "latency:FALLING@1>0", measured(falling, 1));
	judge(b);
	assert_int_equal(b->n_claims, 5);
	for (size_t i = 0; i < b->n_claims; i++)
		if (b->claims[i].has_value &&
		    strcmp(b->claims[i].form, "BENT") != 0)
			fail_msg("%s: %g", b->claims[i].form,
				 b->claims[i].low_cycles);
	assert_string_equal(
		claim_verdict(claim_of(b, "TOO_FAST", "throughput")),
		"implausible");
	assert_string_equal(claim_verdict(claim_of(b, "BENT", "throughput")),
			    "not-linear");
	/* The claim has bounds instead of a number. */
	assert_true(claim_of(b, "BENT", "throughput")->low_cycles == 1.0 / 12);
	assert_true(claim_of(b, "BENT", "throughput")->high_cycles == 55);
}

/* 0.416 was published as 0. */
TEST_ON(peer_02_values_are_not_rounded, struct judge_bench *b)
{
	const struct claim *c;

	add(b, "throughput:FIVE_TWELFTHS", between(5.0 / 12, 5.0 / 12));
	judge(b);
	c = claim_of(b, "FIVE_TWELFTHS", "throughput");
	assert_true(c->low_cycles == 5.0 / 12 && c->high_cycles == 5.0 / 12);
}

/* ---- 8 ------------------------------------------------------------------ */

static const struct winic_value *find_value(const struct winic_value *v,
					    size_t n, const char *source)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i].source, source) == 0)
			return &v[i];
	return NULL;
}

static void put(struct store *s, int64_t run, const char *source, double value)
{
	struct err e = { .code = ERR_OK };
	struct claim c = { .run = run,
			   .form = "FMLA_ZPmZZ_D",
			   .kind = *source ? "latency" : "throughput",
			   .source = source,
			   .destination = *source ? "0" : "",
			   .has_value = value > 0,
			   .low_cycles = value,
			   .high_cycles = value,
			   .verdict = value > 0 ? VERDICT_OK : VERDICT_MISSING,
			   .label = "",
			   .detail = "" };

	assert_int_equal(store_claim(s, &c, &e), ERR_OK);
}

static struct store *store_of(const char *isa, int64_t *ret_run)
{
	struct err e = { .code = ERR_OK };
	struct run r = any_run(isa, CLOCK_CORE);
	struct store *s = NULL;

	if (store_open(":memory:", true, &s, &e) != ERR_OK ||
	    store_run_new(s, &r, &e) != ERR_OK ||
	    store_claims_begin(s, r.id, &e) != ERR_OK)
		fail_msg("%s", e.message);
	*ret_run = r.id;
	return s;
}

/* The predicate got the latency of the accumulator, in 464 forms. */
TEST_ON(peer_08_predicate_keeps_its_own_latency, struct judge_bench *b)
{
	struct catalogue *c = load(&b->arena, "aarch64", NULL);
	struct import_text read = { .path = "x" };
	SCOPED(buffer_free) struct buffer out = { 0 };
	struct winic_values v;
	int64_t run;
	struct store *s = store_of("aarch64", &run);

	/* 1 the predicate, 2 the accumulator, 3 and 4 are multiplied. */
	put(s, run, "1", 7);
	put(s, run, "2", 2);
	put(s, run, "3", 4);
	put(s, run, "4", 5);
	assert_int_equal(store_commit(s, &b->err), ERR_OK);
	assert_int_equal(exporter_find("winic")->write(s, &out, &b->err), 0);
	read.text = (const char *)out.bytes;
	read.n = out.n;
	assert_ok(winic_read(&b->arena, c, &read, NULL, &v, &b->err), &b->err);
	assert_true(find_value(v.list, v.n, "1")->high == 7);
	assert_true(find_value(v.list, v.n, "2")->high == 2);
	assert_true(find_value(v.list, v.n, "3")->high == 4);
	assert_true(find_value(v.list, v.n, "4")->high == 5);

	/* Without our reader: the second operand listed is the predicate. */
	const char *text;

	buffer_add(&out, "", 1);
	text = strstr((const char *)out.bytes, "PPR");
	assert_non_null(text);
	assert_part(text, "sourceOperand: '1'\n"
			  "    targetOperand: '0'\n"
			  "    latencyMin: 7\n");
	store_close(s);
}

/* ---- 9 ------------------------------------------------------------------ */

/* The known helper with the lowest latency decides. */
TEST_ON(peer_09_lowest_bound_wins, struct judge_bench *b)
{
	const struct claim *c;

	add(b, "throughput:CHEAP", between(0.25, 0.25));
	add(b, "throughput:DEAR", between(2, 2));
	add(b, "throughput:F+~DEAR", between(2.5, 2.5));
	add(b, "throughput:F+~CHEAP", between(0.75, 0.75));
	judge(b);
	c = claim_of(b, "F", "throughput");
	assert_string_equal(claim_verdict(c), "helper");
	assert_true(c->low_cycles == 0.5 && c->high_cycles == 0.75);
}

/* ---- 12 ----------------------------------------------------------------- */

/* The sum of a chain of two instructions was reported as one latency. */
TEST_ON(peer_12_sum_is_no_latency_of_one_form, struct judge_bench *b)
{
	add(b, "latency:MOVQ@1>0+MOVD@1>0", between(5, 5));
	judge(b);
	/* The sum is published under the names of both forms; each form alone
	 * has an interval that leaves one cycle to the other. */
	assert_true(claim_of(b, "MOVQ@1>0+MOVD@1>0", "latency")->low_cycles ==
		    5);
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].form, "MOVQ") == 0 ||
		    strcmp(b->claims[i].form, "MOVD") == 0) {
			assert_string_equal(claim_verdict(&b->claims[i]),
					    "circle");
			assert_true(b->claims[i].low_cycles == 1);
			assert_true(b->claims[i].high_cycles == 4);
		}
}

/* Without a performance counter nothing was measured.  A reference clock is
 * enough here: two ticks a cycle, chains of one cycle. */
TEST(peer_12_a_constant_clock_is_enough)
{
	enum { ROW = 8, ROWS = 11, VISITS = 3, N = 100 };
	static const struct shape k = { .unroll = { 10, 20, 30 },
					.ops_per_body = 1 };
	const struct calibration c = { .usable = true, .kernels = { k, k, k } };
	static const uint64_t row[ROW] = {
		2 * 30 * N + 40, 2 * 10 * N + 40, 2 * 5 * N + 40,
		6 * 10 * N + 40, 6 * 20 * N + 40, 6 * 30 * N + 40,
		2 * 30 * N + 40, 2 * 10 * N + 40,
	};
	uint64_t values[ROW * ROWS];
	struct sample m[VISITS];
	struct estimate e;

	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		values[i] = row[i % ROW];
	for (uint32_t i = 0; i < VISITS; i++)
		m[i] = (struct sample){ .visit = i,
					.n_iterations = N,
					.calib_iterations = { N, N, N },
					.n_rows = ROWS,
					.row = ROW,
					.values = values };
	e = estimate_ref(&k, &c, m, VISITS, COMBINE_MEDIAN);
	assert_int_equal(e.state, VERDICT_OK);
	assert_true(fabs(e.high - 3) < 0.001 && fabs(e.low - 3) < 0.001);
}

/* ---- 13 ----------------------------------------------------------------- */

/* Overhead that was not subtracted: add 0.51 to 1.00, mul 3.0 to 3.5 for
 * true 0.5 and 3. */
TEST(peer_13_overhead_is_subtracted)
{
	static const uint64_t overheads[] = { 0, 7, 250, 100000 };

	for (size_t i = 0; i < ARRAY_LEN(overheads); i++) {
		struct estimate half = costing(50, overheads[i]);
		struct estimate three = costing(300, overheads[i]);

		assert_int_equal(half.state, VERDICT_OK);
		assert_true(half.low == 0.5 && half.high == 0.5);
		assert_true(three.low == 3 && three.high == 3);
	}
}

/* ---- 14 ----------------------------------------------------------------- */

/* Is this part of a text no part of a longer word ("info")? */
static bool has_number(const char *text, const char *part)
{
	while ((text = strstr(text, part)) != NULL) {
		text += strlen(part);
		if (!isalpha((unsigned char)*text))
			return true;
	}
	return false;
}

/* "9223372036854775808.00" and -1 stood for "not known". */
static void write_out(const struct exporter *x, struct store *s,
		      struct buffer *out, struct judge_bench *b)
{
	struct catalogue *c = load(&b->arena, "aarch64", NULL);
	struct model m;

	if (x->write) {
		assert_int_equal(x->write(s, out, &b->err), ERR_OK);
	} else {
		assert_ok(model_from_store(s, &b->arena, NULL, c, &m, &b->err),
			  &b->err);
		/* They refuse a model without ports, or without any value; of
		 * gcc, unit.gcc has such numbers. */
		if (x->write_model(&m, c, out, &b->err) == ERR_FAILED &&
		    (strncmp(x->name, "osaca", 5) == 0 ||
		     strncmp(x->name, "exegesis", 8) == 0 ||
		     strcmp(x->name, "llvm") == 0))
			b->err.code = ERR_OK;
		if (b->err.code == ERR_INPUT && strcmp(x->name, "gcc") == 0)
			b->err.code = ERR_OK;
		assert_int_equal(b->err.code, ERR_OK);
	}
	buffer_add(out, "", 1);
}

TEST_ON(peer_14_no_sentinels_in_exports, struct judge_bench *b)
{
	static const char *const bad[] = {
		"9223372036854775", "1844674407370955", "-1", "inf", "nan", "e+"
	};
	static const double values[] = { -1, 9223372036854775808.0, 0 };

	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		int64_t run;
		struct store *s = store_of("aarch64", &run);
		struct claim c = { .run = run,
				   .form = "ADDXrs",
				   .kind = "throughput",
				   .source = "",
				   .destination = "",
				   .low_cycles = values[i],
				   .high_cycles = values[i],
				   .verdict = VERDICT_MISSING,
				   .label = "",
				   .detail = "" };

		put(s, run, "1", 0);
		assert_int_equal(store_claim(s, &c, &b->err), ERR_OK);
		assert_int_equal(store_commit(s, &b->err), ERR_OK);
		for (size_t k = 0; exporters[k]; k++) {
			SCOPED(buffer_free) struct buffer out = { 0 };

			write_out(exporters[k], s, &out, b);
			/* A zero is not a missing value. */
			if (strcmp(exporters[k]->name, "csv") == 0)
				assert_part((const char *)out.bytes,
					    "ADDXrs,throughput,,,,,");
			for (size_t t = 0; t < ARRAY_LEN(bad); t++)
				if (has_number((const char *)out.bytes, bad[t]))
					fail_msg("%s: %s", exporters[k]->name,
						 bad[t]);
		}
		store_close(s);
	}
}
