/* From estimates to claims, and a whole run through the store. */
#include "host/solve/solve.h"
#include "host/store/store_run.h"
#include "tests/unit/any_run.h"
#include "tests/unit/judge_bench.h"
#include "tests/unit/unit.h"

EACH_NEW(struct judge_bench, judge_end);

TEST_ON(chain_that_shows, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0", 4, 4);
	(void)judge_add(b, "control:A@1>0", 0.5, 0.5);
	judge_claims(b, 0, "A", "ok", 4, 4);
	assert_string_equal(b->claims[0].source, "1");
	assert_string_equal(b->claims[0].destination, "0");
	assert_int_equal(b->n_claims, 1);
}

TEST_ON(hidden_chain_of_one_cycle_is_one, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0", 1.004, 1.004);
	(void)judge_add(b, "control:A@1>0", 1, 1);
	judge_claims(b, 0, "A", "ok", 1, 1);
}

TEST_ON(hidden_chain_is_bounded, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0", 4, 4);
	(void)judge_add(b, "control:A@1>0", 3.9, 3.9);
	judge_claims(b, 0, "A", "throughput-bound", 1, 4);
}

TEST_ON(chain_that_is_renamed_away, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0", 0.25, 0.25);
	(void)judge_add(b, "control:A@1>0", 0.25, 0.25);
	(void)judge_add(b, "latency:B@1>0", 0.33, 0.33);
	(void)judge_add(b, "control:B@1>0", 0.25, 0.25);
	judge_claims(b, 0, "A", "eliminated", 0.25, 0.25);
	judge_claims(b, 1, "B", "eliminated", 0.33, 0.33);
}

/* A chain through memory has no usable value: whole iterations bound it. */
TEST(disturbed_chain_that_is_renamed_away)
{
	static const struct {
		const char *label;
		double bound;
		enum verdict state;
	} cases[] = {
		{ "latency:A@1>0", 0.3, VERDICT_NOISY },
		{ "latency:R+L", 0.95, VERDICT_NOISY },
		{ "latency:S+L", 0.82, VERDICT_IMPLAUSIBLE },
		{ "latency:S+L+A@1>0", 1.06, VERDICT_NOISY },
		{ "latency:S+M+A@1>0", 1.95, VERDICT_NOISY },
		/* The operation, too. */
		{ "latency:S+N+A@1>0", 0.7, VERDICT_NOISY },
	};
	struct judge_bench *b = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record *r = judge_add(b, cases[i].label, 0, -1);

		r->estimate.state = cases[i].state;
		r->estimate.bound = cases[i].bound;
	}
	judge_claims(b, 0, "A", "noisy", 0, -1);
	judge_claims(b, 1, "R+L", "noisy", 0, -1);
	judge_claims(b, 2, "S+L", "eliminated", 0, 0.82);
	judge_claims(b, 3, "S+L+A@1>0", "throughput-bound", 1, 1.06);
	judge_claims(b, 4, "S+M+A@1>0", "noisy", 0, -1);
	judge_claims(b, 5, "S+N+A@1>0", "eliminated", 0, 0.7);
}

TEST_ON(chain_without_usable_control, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0", 4, 4);
	(void)judge_add(b, "latency:B@1>0", 4, 4);
	(void)judge_add(b, "control:B@1>0", 0, -1);
	(void)judge_add(b, "control:B@2>0", 1, 1);
	(void)judge_add(b, "latency:C@1>0", 4, 4);
	judge_add(b, "control:C@1>0", 1, 1)->fault = "illegal";
	judge_claims(b, 0, "A", "no-control", 4, 4);
	judge_claims(b, 1, "B", "no-control", 4, 4);
	judge_claims(b, 2, "C", "no-control", 4, 4);
}

/* Broken chains that are too disturbed for a value still cost no more than
 * their whole iterations. */
TEST_ON(a_disturbed_control_is_a_bound, struct judge_bench *b)
{
	static const double bounds[] = { 1.2, 3.9 };

	for (int i = 0; i < 2; i++) {
		struct record *r;

		(void)judge_add(b, i ? "latency:B@1>0" : "latency:A@1>0", 4, 4);
		r = judge_add(b, i ? "control:B@1>0" : "control:A@1>0", 0, -1);
		r->estimate.state = VERDICT_NOISY;
		r->estimate.bound = bounds[i];
	}
	judge_claims(b, 0, "A", "ok", 4, 4);
	judge_claims(b, 1, "B", "no-control", 4, 4);
}

TEST_ON(two_states_stay_two, struct judge_bench *b)
{
	judge_add(b, "latency:A@1>0", 1, 2)->estimate.low_share = 0.4;
	(void)judge_add(b, "control:A@1>0", 1, 1);
	judge_claims(b, 0, "A", "two-states", 1, 2);
	assert_part(b->claims[0].detail, "40 % of the visits at one of "
					 "the two speeds are at 1 cycles");
}

/* 16/13 of the time is 13/16 of the speed; 6/5 is in no such ratio. */
TEST_ON(a_throttled_speed_is_named, struct judge_bench *b)
{
	(void)judge_add(b, "throughput:A", 1, 16.0 / 13);
	(void)judge_add(b, "throughput:B", 1, 1.2);
	judge_claims(b, 0, "A", "two-states", 1, 16.0 / 13);
	assert_part(b->claims[0].detail, "13/16 of the faster one");
	assert_null(strstr(b->claims[1].detail, "/16"));
}

TEST_ON(faster_than_any_core_is_no_value, struct judge_bench *b)
{
	(void)judge_add(b, "throughput:A", 0.12, 0.12);
	(void)judge_add(b, "throughput:B", 0.124, 0.124);
	(void)judge_add(b, "latency:C@1>0", 0.1, 0.1);
	judge_claims(b, 0, "A", "implausible", 0, -1);
	judge_claims(b, 1, "B", "ok", 0.124, 0.124);
	judge_claims(b, 2, "C", "implausible", 0, -1);
}

TEST_ON(fault_is_a_verdict, struct judge_bench *b)
{
	judge_add(b, "throughput:A", 1, 1)->fault = "illegal";
	judge_claims(b, 0, "A", "fault:illegal", 0, -1);
}

TEST_ON(helper_leaves_an_interval, struct judge_bench *b)
{
	(void)judge_add(b, "throughput:A+~H", 1.25, 1.25);
	(void)judge_add(b, "throughput:B+~2xH", 1.25, 1.25);
	(void)judge_add(b, "throughput:C+~G", 1.25, 1.25);
	(void)judge_add(b, "throughput:H", 0.25, 0.25);
	judge_claims(b, 0, "A", "helper", 1, 1.25);
	judge_claims(b, 1, "B", "helper", 0.75, 1.25);
	judge_claims(b, 2, "C", "helper", 0.125, 1.25);
	judge_claims(b, 3, "H", "ok", 0.25, 0.25);
}

TEST_ON(lowest_of_several_experiments, struct judge_bench *b)
{
	(void)judge_add(b, "throughput:A+~H", 1.5, 1.5);
	(void)judge_add(b, "throughput:A+~G", 1.25, 1.25);
	(void)judge_add(b, "throughput:A+~F", 0, -1);
	(void)judge_add(b, "throughput:H", 0.5, 0.5);
	(void)judge_add(b, "throughput:G", 0.5, 0.5);
	judge_claims(b, 0, "A", "helper", 0.75, 1.25);
	assert_string_equal(b->claims[0].label, "throughput:A+~G");
	assert_int_equal(b->claims[0].kernel, 1);
	assert_int_equal(b->n_claims, 3);
}

/* Without a slope, whole iterations bound the cost of an instance. */
TEST_ON(no_line_is_an_interval, struct judge_bench *b)
{
	judge_add(b, "throughput:A", 0, -1)->estimate.bound = 0.53;
	judge_claims(b, 0, "A", "not-linear", 0.125, 0.53);
}

/* Units of different latency alternate: the mean is no latency. */
TEST_ON(mean_of_units_is_a_mixture, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0", 3.5, 3.5);
	(void)judge_add(b, "throughput:A", 0.5, 0.5);
	(void)judge_add(b, "latency:B@1>0", 4.02, 4.02);
	(void)judge_add(b, "throughput:B", 0.5, 0.5);
	(void)judge_add(b, "latency:C@1>0", 40.5, 40.5);
	(void)judge_add(b, "throughput:C", 0.5, 0.5);
	judge_claims(b, 0, "A", "mixture", 3.5, 3.5);
	judge_claims(b, 2, "B", "ok", 4.02, 4.02);
	judge_claims(b, 4, "C", "ok", 40.5, 40.5);
}

/* A broken chain that is no straight line still shows whether there is a chain.
 */
TEST_ON(rough_control_is_enough_for_a_clear_chain, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0", 4, 4);
	judge_add(b, "throughput:A", 0, -1)->estimate.rough = 0.5;
	(void)judge_add(b, "latency:B@1>0", 0.6, 0.6);
	judge_add(b, "throughput:B", 0, -1)->estimate.rough = 0.5;
	judge_claims(b, 0, "A", "ok", 4, 4);
	judge_claims(b, 1, "A", "not-linear", 0, -1);
	judge_claims(b, 2, "B", "eliminated", 0.6, 0.6);
}

/* The throughput kernel is the chain, broken. */
TEST_ON(throughput_is_the_broken_chain, struct judge_bench *b)
{
	(void)judge_add(b, "latency:A@1>0", 4, 4);
	(void)judge_add(b, "throughput:A", 4, 4);
	(void)judge_add(b, "latency:B@1>0", 4, 4);
	(void)judge_add(b, "throughput:B+~H", 0.5, 0.5);
	judge_claims(b, 0, "A", "throughput-bound", 1, 4);
	judge_claims(b, 2, "B", "ok", 4, 4);
}

/* An upper bound without a helper narrows the interval that a helper left. */
TEST_ON(dependent_bounds_from_above, struct judge_bench *b)
{
	(void)judge_add(b, "throughput:A+~H", 2, 2);
	(void)judge_add(b, "dependent:A", 1, 1);
	(void)judge_add(b, "throughput:B+~H", 2, 2);
	(void)judge_add(b, "dependent:B", 1.5, 1.5);
	(void)judge_add(b, "throughput:C+~H", 2, 2);
	(void)judge_add(b, "dependent:C", 6, 6);
	(void)judge_add(b, "dependent:D", 6, 6);
	(void)judge_add(b, "throughput:H", 1, 1);
	judge_claims(b, 0, "A", "ok", 1, 1);
	judge_claims(b, 2, "B", "helper", 1, 1.5);
	judge_claims(b, 4, "C", "helper", 1, 2);
	/* The measured value is a second claim in addition to the bound. */
	judge_claims(b, 5, "C", "ok", 6, 6);
	assert_string_equal(b->claims[5].kind, "dependent");
	judge_claims(b, 6, "D", "ok", 6, 6);
	assert_string_equal(b->claims[6].kind, "dependent");
	judge_claims(b, 7, "D", "dependent", 0.125, 6);
	assert_string_equal(b->claims[7].kind, "throughput");
	assert_int_equal(b->n_claims, 9);
}

TEST_ON(order_of_claims, struct judge_bench *b)
{
	(void)judge_add(b, "throughput:B", 1, 1);
	(void)judge_add(b, "latency:B@2>0", 4, 4);
	(void)judge_add(b, "latency:B@1>0", 4, 4);
	(void)judge_add(b, "throughput:A", 1, 1);
	(void)judge_add(b, "remark:C", 1, 1);
	judge_claims(b, 0, "A", "ok", 1, 1);
	judge_claims(b, 1, "B", "ok", 4, 4);
	assert_string_equal(b->claims[1].source, "1");
	assert_string_equal(b->claims[3].kind, "throughput");
	assert_int_equal(b->n_claims, 4);
}

/* ---- a run through the store ------------------------------------------ */

static int64_t new_run(struct judge_bench *b, struct store *s, const char *isa,
		       enum clock clock)
{
	struct run r = any_run(isa, clock);

	assert_int_equal(store_run_new(s, &r, &b->err), ERR_OK);
	return r.id;
}

static void put(struct judge_bench *b, struct store *s, int64_t run,
		uint32_t index, const char *label, const uint64_t *values,
		uint32_t row)
{
	enum { ROWS = 3, MOST = 8 };
	bool calib = strncmp(label, "calibrate", 9) == 0;
	uint64_t rows[ROWS * MOST];
	struct kernel_row k = { .id = index,
				.label = label,
				.unroll = { 8, 16, 24 },
				.ops_per_body = 1,
				.calib = calib };

	assert_int_equal(store_kernel(s, run, index, &k, &b->err), ERR_OK);
	for (uint32_t i = 0; values && i < ROWS * row; i++)
		rows[i] = values[i % row];
	for (uint32_t visit = 0; values && visit < 2; visit++) {
		struct sample m = { .kernel = index,
				    .visit = visit,
				    .n_iterations = 10,
				    .calib_iterations = { 10, 10, 10 },
				    .n_rows = ROWS,
				    .row = row,
				    .values = rows };

		assert_int_equal(store_sample(s, run, &m, &b->err), ERR_OK);
	}
}

static int print(void *context, const struct claim *c, struct err *e)
{
	char *at = context;

	(void)e;
	at += strlen(at);
	(void)sprintf(at, "%s %s %g %g %s; ", c->form, c->kind,
		      c->has_value ? c->low_cycles : -1,
		      c->has_value ? c->high_cycles : -1, claim_verdict(c));
	return 0;
}

/* Solve everything and compare with the claims of `run`. */
static void solved(struct judge_bench *b, struct store *s, int64_t run,
		   const char *expected)
{
	struct solve_summary sum;
	char all[400] = "";

	if (solve_run(s, 0, &sum, &b->err) != ERR_OK)
		print_error("%s\n", b->err.message);
	assert_int_equal(b->err.code, ERR_OK);
	assert_int_equal(store_claims(s, run, NULL, print, all, &b->err), 0);
	assert_string_equal(all, expected);
}

static const uint64_t one_cycle[] = { 110, 190, 270 };

TEST_ON(run_on_core_clock, struct judge_bench *b)
{
	struct fault_row f = { .kernel = 3, .cause = "hang" };
	struct store *s;
	int64_t run;

	assert_int_equal(store_open(":memory:", true, &s, &b->err), ERR_OK);
	run = new_run(b, s, "riscv64", CLOCK_CORE);
	put(b, s, run, 0, "throughput:ADD", one_cycle, 3);
	put(b, s, run, 1, "latency:ADD@1>0", one_cycle, 3);
	put(b, s, run, 2, "control:ADD@1>0", one_cycle, 3);
	put(b, s, run, 3, "throughput:DIV", NULL, 3);
	put(b, s, run, 4, "throughput:MUL", NULL, 3);
	put(b, s, run, 5, "dependent:ADD", one_cycle, 3);
	put(b, s, run, 6, "short:ADD@1>0", one_cycle, 3);
	assert_int_equal(store_fault(s, run, &f, &b->err), ERR_OK);
	solved(b, s, run,
	       "ADD dependent 1 1 ok; ADD latency 1 1 ok; "
	       "ADD latency-short 1 1 ok; ADD throughput 1 1 ok; "
	       "DIV throughput -1 -1 fault:hang; "
	       "MUL throughput -1 -1 missing; ");
	solved(b, s, run,
	       "ADD dependent 1 1 ok; ADD latency 1 1 ok; "
	       "ADD latency-short 1 1 ok; ADD throughput 1 1 ok; "
	       "DIV throughput -1 -1 fault:hang; "
	       "MUL throughput -1 -1 missing; ");
	store_close(s);
}

/* Half a tick per cycle; calibration over 16 bodies, 10 times. */
static const uint64_t sandwich[] = { 180, 100, 40, 100, 180, 260, 180, 100 };
/* The second chain costs two cycles. */
static const uint64_t lopsided[] = { 180, 100, 40, 100, 180, 260, 260, 100 };

TEST_ON(run_on_ref_clock, struct judge_bench *b)
{
	struct store *s;
	int64_t good, bare, bad;

	assert_int_equal(store_open(":memory:", true, &s, &b->err), ERR_OK);
	good = new_run(b, s, "x86_64", CLOCK_REF);
	put(b, s, good, 0, "calibrate:ADD@1>0", NULL, 8);
	put(b, s, good, 1, "calibrate:XOR@1>0", NULL, 8);
	put(b, s, good, 2, "throughput:MUL", sandwich, 8);
	bare = new_run(b, s, "x86_64", CLOCK_REF);
	put(b, s, bare, 0, "throughput:MUL", sandwich, 8);
	bad = new_run(b, s, "x86_64", CLOCK_REF);
	put(b, s, bad, 0, "calibrate:ADD@1>0", NULL, 8);
	put(b, s, bad, 1, "calibrate:XOR@1>0", NULL, 8);
	put(b, s, bad, 2, "throughput:MUL", lopsided, 8);
	solved(b, s, good, "MUL throughput 1.99 2.01 ok; ");
	solved(b, s, bare, "MUL throughput -1 -1 no-calibration; ");
	solved(b, s, bad, "MUL throughput -1 -1 no-calibration; ");
	store_close(s);
}

TEST_ON(run_of_unknown_isa, struct judge_bench *b)
{
	struct solve_summary sum;
	struct store *s;

	assert_int_equal(store_open(":memory:", true, &s, &b->err), ERR_OK);
	(void)new_run(b, s, "pdp11", CLOCK_CORE);
	assert_int_equal(solve_run(s, 0, &sum, &b->err), ERR_INPUT);
	assert_part(b->err.message, "unknown instruction set 'pdp11'");
	store_close(s);
}
