/* Throughput from several kernels of a form: long bodies and small loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/solve/judge.h"
#include "tests/unit/record.h"

enum { MAX = 16 };

struct bench {
	struct arena arena;
	struct err err;
	struct record records[MAX];
	size_t n;
	struct claim claims[MAX];
	size_t n_claims;
};

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct bench));
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	arena_free(&b->arena);
	free(b);
	return 0;
}

/* Add the record of a kernel; high < 0: it has no value. */
static struct record *add(struct bench *b, const char *label, double low,
			  double high)
{
	struct record *r = &b->records[b->n];

	*r = record_of(&b->arena, b->n++, label, low);
	r->estimate.high = high;
	r->estimate.has_value = high >= 0;
	if (high < 0)
		r->estimate.state = ESTIMATE_NOT_LINEAR;
	else if (low != high)
		r->estimate.state = ESTIMATE_TWO_STATES;
	return r;
}

static int keep(void *context, struct claim *c, struct err *e)
{
	struct bench *b = context;

	(void)e;
	b->claims[b->n_claims++] = *c;
	return 0;
}

/* Judge on a machine of width 8: claim `i` must be this one. */
static void claims(struct bench *b, size_t i, const char *form,
		   const char *verdict, double low, double high)
{
	struct judge_sink sink = { .max_width = 8, .each = keep, .context = b };
	const struct claim *c = &b->claims[i];

	if (b->n_claims == 0)
		assert_int_equal(judge_records(&b->arena, b->records, b->n,
					       &sink, &b->err),
				 ERR_OK);
	assert_true(i < b->n_claims);
	assert_string_equal(c->form, form);
	assert_string_equal(c->verdict, verdict);
	assert_true(c->has_value == (high >= 0));
	if (c->has_value && (c->low_cycles != low || c->high_cycles != high))
		print_error("%s: %g %g\n", c->form, c->low_cycles,
			    c->high_cycles);
	assert_true(!c->has_value ||
		    (c->low_cycles == low && c->high_cycles == high));
}

/* Two loop shapes: the lower value counts.  Two states of one kernel are
 * reported although another kernel showed one state only. */
static void test_lowest_of_two_shapes(void **state)
{
	struct bench *b = *state;

	(void)add(b, "throughput:A", 0.565, 0.565);
	(void)add(b, "loop:A", 0.5, 0.5);
	(void)add(b, "throughput:B", 0.5, 0.5);
	(void)add(b, "loop:B", 0.5, 0.565);
	(void)add(b, "throughput:C", 0.565, 0.565);
	(void)add(b, "loop:C", 0.5, 0.565);
	(void)add(b, "throughput:D", 0, -1);
	(void)add(b, "loop:D", 1, 1);
	(void)add(b, "throughput:E", 0.5, 0.5);
	add(b, "loop:E", 0.49, 0.49)->estimate.uncertainty = 0.03;
	claims(b, 0, "A", "ok", 0.5, 0.5);
	assert_string_equal(b->claims[0].kind, "throughput");
	assert_string_equal(b->claims[0].label, "loop:A");
	assert_non_null(strstr(b->claims[0].detail, "long body up to 0.565"));
	claims(b, 1, "B", "ok", 0.5, 0.5);
	claims(b, 2, "C", "two-states", 0.5, 0.565);
	claims(b, 3, "D", "ok", 1, 1);
	claims(b, 4, "E", "ok", 0.5,
	       0.5); /* lower, but within the uncertainty */
	assert_int_equal(b->n_claims, 5);
}

/* In a class whose kernels have states two shapes that differ are two states. */
static void test_shapes_that_differ_are_states_of_an_unsteady_class(
	void **state)
{
	struct bench *b = *state;

	(void)add(b, "throughput:A", 0.565, 0.565);
	add(b, "loop:A", 0.5, 0.5)->estimate.unsteady = true;
	(void)add(b, "throughput:B", 0.51, 0.51);
	add(b, "loop:B", 0.5, 0.5)->estimate.unsteady = true;
	claims(b, 0, "A", "two-states", 0.5, 0.565);
	claims(b, 1, "B", "ok", 0.5, 0.5);
}

/* Taken branches: 0.9 a branch on a line that two visits share, but whole
 * iterations of the short loop cost 0.6.  The line is not the branch's. */
static void test_whole_iterations_disprove_a_slope(void **state)
{
	struct bench *b = *state;

	add(b, "throughput:A", 1.06, 1.06)->estimate.bound = 1.1;
	add(b, "loop:A", 0.9, 0.9)->estimate.bound = 0.6;
	add(b, "throughput:B", 1.06, 1.06)->estimate.bound = 1.1;
	add(b, "loop:B", 0, -1)->estimate.bound = 0.6;
	/* Little less is what a slowed calibration does. */
	add(b, "throughput:C", 1, 1)->estimate.bound = 0.97;
	claims(b, 0, "A", "not-linear", 0.125, 0.6);
	claims(b, 1, "B", "not-linear", 0.125, 0.6);
	claims(b, 2, "C", "ok", 1, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lowest_of_two_shapes,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_shapes_that_differ_are_states_of_an_unsteady_class,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_whole_iterations_disprove_a_slope, set_up,
			tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
