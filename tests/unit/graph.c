/* Circles through register classes: what sums say of their parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "host/solve/judge.h"
#include "tests/unit/record.h"

enum { MAX = 16 };

struct bench {
	struct arena arena;
	struct record records[MAX];
	size_t n;
	struct claim claims[MAX * 4];
	const struct isa_carrier *carriers;
	size_t n_claims;
};

static void add(struct bench *b, const char *label, double cycles)
{
	struct record *r = &b->records[b->n];

	*r = record_of(&b->arena, b->n++, label, cycles);
}

static int keep(void *context, struct claim *c, struct err *e)
{
	struct bench *b = context;

	(void)e;
	b->claims[b->n_claims++] = *c;
	return 0;
}

static void judge(struct bench *b)
{
	struct judge_sink sink = { .max_width = 8,
				   .carriers = b->carriers,
				   .each = keep,
				   .context = b };
	struct err e = { .code = ERR_OK };

	assert_int_equal(judge_records(&b->arena, b->records, b->n, &sink, &e),
			 ERR_OK);
}

static const struct claim *latency_of(const struct bench *b, const char *form)
{
	for (size_t i = 0; i < b->n_claims; i++)
		if (strcmp(b->claims[i].form, form) == 0 &&
		    strcmp(b->claims[i].kind, "latency") == 0)
			return &b->claims[i];
	fail_msg("no latency of %s", form);
	return NULL;
}

static void expect(const struct bench *b, const char *form, double low,
		   double high, const char *verdict)
{
	const struct claim *c = latency_of(b, form);

	assert_string_equal(c->verdict, verdict);
	assert_float_equal(c->low_cycles, low, 1e-9);
	assert_float_equal(c->high_cycles, high, 1e-9);
}

/* Throughputs that let every circle show. */
static void add_throughputs(struct bench *b)
{
	add(b, "throughput:IN", 0.25);
	add(b, "throughput:OUT", 0.25);
	add(b, "throughput:CONV", 0.25);
	add(b, "throughput:FAST", 0.25);
}

static const struct isa_carrier carriers[] = {
	{ BANK_GPR, "AND@1>0+ADD@2>0" },
	{ BANK_NONE, NULL },
};

/* A chain that comes back through carriers of a cycle each, and its broken
 * twin. */
static void carry(struct bench *b, double sum, double broken, double and)
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

static void carriers_are_taken_off_a_sum(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	carry(&b, 5, 1.5, 1);
	expect(&b, "MUL", 3, 3, "ok");
	expect(&b, "MUL@0>RAX+AND@1>0+ADD@2>0", 5, 5, "ok");
	arena_free(&b.arena);
}

static void a_carried_chain_must_cost_more_than_its_twin(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	carry(&b, 3, 3, 1);
	expect(&b, "MUL", 1, 1, "throughput-bound");
	arena_free(&b.arena);
}

/* As slow without its chain as with it, the pair has one claim all the same. */
static void a_chain_made_longer_shows(void **state)
{
	static const double twins[] = { 3, 4 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(twins); i++) {
		struct bench b = { .n = 0 };
		size_t n = 0;

		add(&b, "latency:MUL@0>RAX", 3);
		add(&b, "control:MUL@0>RAX", 3);
		carry(&b, 4, twins[i], 1);
		expect(&b, "MUL", i ? 1 : 2, i ? 3 : 2,
		       i ? "throughput-bound" : "ok");
		for (size_t k = 0; k < b.n_claims; k++)
			n += strcmp(b.claims[k].form, "MUL") == 0;
		assert_int_equal(n, 1);
		arena_free(&b.arena);
	}
}

static void an_eliminated_carrier_leaves_an_interval(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	carry(&b, 5, 1.5, 0.25);
	expect(&b, "MUL", 3.75, 4, "circle");
	arena_free(&b.arena);
}

static void a_sum_leaves_an_interval(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add_throughputs(&b);
	add(&b, "latency:IN@1>0+OUT@1>0", 5);
	judge(&b);
	expect(&b, "IN", 1, 4, "circle");
	expect(&b, "IN@1>0+OUT@1>0", 5, 5, "ok");
	arena_free(&b.arena);
}

static void the_cheapest_circle_bounds_the_bridge(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add_throughputs(&b);
	add(&b, "latency:IN@1>0+OUT@1>0", 5);
	add(&b, "latency:OUT@1>0+IN@1>0", 5);
	/* FAST enters as IN does and takes one cycle at least. */
	add(&b, "latency:FAST@1>0+OUT@1>0", 3);
	add(&b, "latency:CONV@1>0+OUT@1>0", 8);
	judge(&b);
	expect(&b, "OUT", 1, 2, "circle");
	expect(&b, "IN", 3, 4, "circle");
	expect(&b, "FAST", 1, 2, "circle");
	expect(&b, "CONV", 6, 7, "circle");
	arena_free(&b.arena);
}

static void sums_of_two_are_exact(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add_throughputs(&b);
	add(&b, "latency:IN@1>0+OUT@1>0", 2);
	add(&b, "latency:CONV@1>0+OUT@1>0", 6);
	judge(&b);
	expect(&b, "IN", 1, 1, "ok");
	expect(&b, "CONV", 5, 5, "ok");
	arena_free(&b.arena);
}

/* Both could be throughput: only an upper bound is left. */
static void a_circle_that_does_not_show_bounds_from_above(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add(&b, "throughput:IN", 2);
	add(&b, "throughput:OUT", 0.5);
	add(&b, "throughput:CONV", 8);
	add(&b, "latency:IN@1>0+OUT@1>0", 4);
	add(&b, "latency:CONV@1>0+OUT@1>0", 8);
	judge(&b);
	expect(&b, "CONV", 1, 7, "circle");
	expect(&b, "CONV@1>0+OUT@1>0", 2, 8, "throughput-bound");
	expect(&b, "IN@1>0+OUT@1>0", 4, 4, "ok");
	arena_free(&b.arena);
}

/* Nor is it known to go through its head: LOAD may give a result that its base
 * has no part in. */
static void a_circle_that_does_not_show_bounds_only_its_head(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add_throughputs(&b);
	add(&b, "throughput:LOAD", 4);
	add(&b, "latency:LOAD@1>0+OUT@1>0", 4);
	add(&b, "latency:CONV@1>0+OUT@1>0", 12);
	judge(&b);
	expect(&b, "LOAD", 1, 3, "circle");
	expect(&b, "CONV", 1, 11, "circle");
	arena_free(&b.arena);
}

/* What goes round may be OUT alone, through an operand that is tied to its
 * result: CMOV behind a comparison, on a core where only it is slow. */
static void a_part_that_goes_round_alone_hides_the_circle(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add_throughputs(&b);
	add(&b, "latency:OUT@2>0", 4);
	add(&b, "control:OUT@2>0", 0.25);
	add(&b, "latency:IN@1>0+OUT@1>0", 4);
	judge(&b);
	expect(&b, "IN", 1, 3, "circle");
	expect(&b, "IN@1>0+OUT@1>0", 2, 4, "throughput-bound");
	arena_free(&b.arena);
}

static void sums_below_the_least_are_no_chain(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add_throughputs(&b);
	add(&b, "latency:IN@1>0+OUT@1>0", 1.5);
	judge(&b);
	assert_string_equal(latency_of(&b, "IN")->verdict, "no-chain");
	assert_false(latency_of(&b, "IN")->has_value);
	assert_string_equal(latency_of(&b, "IN@1>0+OUT@1>0")->verdict,
			    "no-chain");
	assert_false(latency_of(&b, "IN@1>0+OUT@1>0")->has_value);
	arena_free(&b.arena);
}

/* A sum that is no whole number is a mean, and so is what it leaves: which of
 * its parts changes from round to round cannot be told. */
static void parts_of_a_mixture_are_mixtures(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add_throughputs(&b);
	add(&b, "latency:IN@1>0+OUT@1>0", 2);
	add(&b, "latency:CONV@1>0+OUT@1>0", 2.75);
	/* Two means of one part are no contradiction. */
	add(&b, "latency:FAST@1>0+IN@1>0", 2.6);
	add(&b, "latency:FAST@1>0+OUT@1>0", 2.8);
	judge(&b);
	expect(&b, "CONV@1>0+OUT@1>0", 2.75, 2.75, "mixture");
	expect(&b, "CONV", 1.75, 1.75, "mixture");
	expect(&b, "FAST", 1.8, 1.8, "mixture");
	expect(&b, "IN", 1, 1, "ok");
	expect(&b, "IN@1>0+OUT@1>0", 2, 2, "ok");
	arena_free(&b.arena);
}

/* What other circles fix, but this one's mean exceeds, is not exact. */
static void a_mean_above_the_known_value_widens_it(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add_throughputs(&b);
	add(&b, "latency:FAST@1>0+IN@1>0", 2);
	add(&b, "latency:FAST@1>0+OUT@1>0", 2);
	add(&b, "latency:IN@1>0+OUT@1>0", 2.75);
	judge(&b);
	expect(&b, "FAST", 1, 1, "ok");
	expect(&b, "IN", 1, 1.75, "circle");
	arena_free(&b.arena);
}

/* Bounds of a mean are bounds, and the claim says of what. */
static void an_interval_of_a_mixture_says_so(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add_throughputs(&b);
	add(&b, "latency:IN@1>0+OUT@1>0", 5.5);
	judge(&b);
	expect(&b, "IN", 1, 4.5, "circle");
	assert_non_null(strstr(latency_of(&b, "IN")->detail, "a mean"));
	arena_free(&b.arena);
}

/* Instances that wait through their registers, for nobody knows how long. */
static void an_unknown_latency_may_bound_the_throughput(void **state)
{
	static const char *const verdicts[] = { "ok", "register-bound" };

	(void)state;
	for (size_t asked = 0; asked < 2; asked++) {
		struct bench b = { .n = 0 };

		add(&b, "throughput:SWAP", 17);
		b.records[0].chains = 12;
		if (asked)
			add(&b, "latency:OTHER@1>0", 2);
		judge(&b);
		for (size_t i = 0; i < b.n_claims; i++)
			if (strcmp(b.claims[i].form, "SWAP") == 0)
				assert_string_equal(b.claims[i].verdict,
						    verdicts[asked]);
		assert_int_equal(b.n_claims, 1 + asked);
		arena_free(&b.arena);
	}
}

/* A circle that begins with the form says for how long at most. */
static void a_circle_says_how_long_its_head_waits(void **state)
{
	static const double sums[] = { 19, 230 };
	static const char *const verdicts[] = { "ok", "register-bound" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sums); i++) {
		struct bench b = { .n = 0 };

		add(&b, "throughput:SWAP", 17);
		b.records[0].chains = 12;
		add(&b, "throughput:WAY", 0.25);
		add(&b, "latency:SWAP@1>0+WAY@1>0", sums[i]);
		judge(&b);
		/* Latencies are judged behind it. */
		assert_string_equal(b.claims[0].form, "SWAP");
		assert_string_equal(b.claims[0].kind, "throughput");
		assert_string_equal(b.claims[0].verdict, verdicts[i]);
		arena_free(&b.arena);
	}
}

/* A sum whose parts' throughput is not known may be just that. */
static void a_sum_without_controls_is_not_proven(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add(&b, "latency:CONV@1>0+OUT@1>0", 5);
	add(&b, "throughput:CONV", 0.25);
	judge(&b);
	expect(&b, "CONV@1>0+OUT@1>0", 5, 5, "no-control");
	expect(&b, "CONV", 1, 4, "circle");
	arena_free(&b.arena);
}

/* Independent instances of a form that nobody asked for are no throughput of
 * this run, but a control. */
static void a_control_proves_a_sum(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add(&b, "latency:CONV@1>0+OUT@1>0", 5);
	add(&b, "throughput:CONV", 0.25);
	add(&b, "control:OUT", 0.25);
	judge(&b);
	expect(&b, "CONV@1>0+OUT@1>0", 5, 5, "ok");
	b.n = b.n_claims = 0;
	add(&b, "latency:CONV@1>0+OUT@1>0", 5);
	add(&b, "throughput:CONV", 2.5);
	add(&b, "control:OUT", 2.5);
	judge(&b);
	expect(&b, "CONV@1>0+OUT@1>0", 2, 5, "throughput-bound");
	arena_free(&b.arena);
}

/* The addition behind a load has a chain of its own. */
static void a_part_with_its_own_chain_bounds_the_other(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add(&b, "latency:LOAD@1>0+ADD@1>0", 6);
	add(&b, "latency:ADD@1>0", 1);
	add(&b, "throughput:LOAD", 0.5);
	add(&b, "throughput:ADD", 0.25);
	judge(&b);
	expect(&b, "LOAD", 5, 5, "ok");
	b.n = b.n_claims = 0;
	/* One that does not show is only bounded. */
	add(&b, "latency:LOAD@1>0+MUL@1>0", 6);
	add(&b, "latency:MUL@1>0", 3);
	add(&b, "throughput:LOAD", 0.5);
	add(&b, "throughput:MUL", 3);
	judge(&b);
	expect(&b, "LOAD", 3, 5, "circle");
	arena_free(&b.arena);
}

/* On a core that starts one at a time a helper costs what the chain costs.
 * Without it the chain waits for more, and takes no longer: that is a bound,
 * and closes where it is a cycle for each part. */
static void a_chain_without_its_helper_is_a_bound(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add(&b, "latency:ADCS@1>0+~ADDS", 2);
	add(&b, "latency:ADCS@1>0", 1);
	add(&b, "latency:ADCS@1>C+CSINC@C>0+~ADDS", 3);
	add(&b, "latency:ADCS@1>C+CSINC@C>0", 2);
	add(&b, "throughput:ADCS+~ADDS", 2);
	add(&b, "throughput:CSINC", 1);
	judge(&b);
	for (size_t i = 0; i < b.n_claims; i++) {
		const struct claim *c = &b.claims[i];
		bool is_sum = strchr(c->form, '+') != NULL;

		if (strcmp(c->kind, "latency") != 0)
			continue;
		assert_string_equal(c->verdict, "ok");
		assert_float_equal(c->low_cycles, is_sum ? 2 : 1, 1e-9);
		assert_float_equal(c->high_cycles, is_sum ? 2 : 1, 1e-9);
	}
	arena_free(&b.arena);
}

/* More than a cycle may be what else it waits for. */
static void what_it_waits_for_besides_is_no_latency(void **state)
{
	struct bench b = { .n = 0 };

	(void)state;
	add(&b, "latency:ADCS@1>0+~ADDS", 4);
	add(&b, "latency:ADCS@1>0", 3);
	add(&b, "throughput:ADCS+~ADDS", 4);
	judge(&b);
	expect(&b, "ADCS", 1, 3, "throughput-bound");
	b.n = b.n_claims = 0;
	add(&b, "latency:ADCS@1>0+~ADDS", 2);
	add(&b, "latency:ADCS@1>0", 3);
	add(&b, "throughput:ADCS+~ADDS", 1);
	judge(&b);
	expect(&b, "ADCS", 2, 2, "ok");
	arena_free(&b.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_without_its_helper_is_a_bound),
		cmocka_unit_test(what_it_waits_for_besides_is_no_latency),
		cmocka_unit_test(
			a_circle_that_does_not_show_bounds_only_its_head),
		cmocka_unit_test(a_circle_says_how_long_its_head_waits),
		cmocka_unit_test(a_sum_without_controls_is_not_proven),
		cmocka_unit_test(a_control_proves_a_sum),
		cmocka_unit_test(a_part_with_its_own_chain_bounds_the_other),
		cmocka_unit_test(carriers_are_taken_off_a_sum),
		cmocka_unit_test(a_carried_chain_must_cost_more_than_its_twin),
		cmocka_unit_test(a_chain_made_longer_shows),
		cmocka_unit_test(an_eliminated_carrier_leaves_an_interval),
		cmocka_unit_test(a_sum_leaves_an_interval),
		cmocka_unit_test(the_cheapest_circle_bounds_the_bridge),
		cmocka_unit_test(sums_of_two_are_exact),
		cmocka_unit_test(a_circle_that_does_not_show_bounds_from_above),
		cmocka_unit_test(a_part_that_goes_round_alone_hides_the_circle),
		cmocka_unit_test(sums_below_the_least_are_no_chain),
		cmocka_unit_test(parts_of_a_mixture_are_mixtures),
		cmocka_unit_test(a_mean_above_the_known_value_widens_it),
		cmocka_unit_test(an_unknown_latency_may_bound_the_throughput),
		cmocka_unit_test(an_interval_of_a_mixture_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
