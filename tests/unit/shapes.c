/* Throughput from several kernels of a form: long bodies and small loops. */
#include "tests/unit/judge_bench.h"
#include "tests/unit/unit.h"

EACH_NEW(struct judge_bench, judge_end);

/* Two loop shapes: the lower value counts.  Two states of one kernel are
 * reported although another kernel showed one state only. */
TEST_ON(lowest_of_two_shapes, struct judge_bench *b)
{
	(void)judge_add(b, "throughput:A", 0.565, 0.565);
	(void)judge_add(b, "loop:A", 0.5, 0.5);
	(void)judge_add(b, "throughput:B", 0.5, 0.5);
	(void)judge_add(b, "loop:B", 0.5, 0.565);
	(void)judge_add(b, "throughput:C", 0.565, 0.565);
	(void)judge_add(b, "loop:C", 0.5, 0.565);
	(void)judge_add(b, "throughput:D", 0, -1);
	(void)judge_add(b, "loop:D", 1, 1);
	(void)judge_add(b, "throughput:E", 0.5, 0.5);
	judge_add(b, "loop:E", 0.49, 0.49)->estimate.uncertainty = 0.03;
	judge_claims(b, 0, "A", "ok", 0.5, 0.5);
	assert_string_equal(b->claims[0].kind, "throughput");
	assert_string_equal(b->claims[0].label, "loop:A");
	assert_part(b->claims[0].detail, "long body up to 0.565");
	judge_claims(b, 1, "B", "ok", 0.5, 0.5);
	judge_claims(b, 2, "C", "two-states", 0.5, 0.565);
	judge_claims(b, 3, "D", "ok", 1, 1);
	judge_claims(b, 4, "E", "ok", 0.5,
		     0.5); /* lower, but within the uncertainty */
	assert_int_equal(b->n_claims, 5);
}

/* Instances that go from place to place in memory are independent in a small
 * loop as well, although others wait in one place. */
TEST_ON(places_are_independent_in_small_loops, struct judge_bench *b)
{
	judge_add(b, "throughput:A", 0.6, 0.6)->estimate.bound = 0.54;
	(void)judge_add(b, "loop:A", 0.525, 0.525);
	(void)judge_add(b, "dependent:A", 7.38, 7.38);
	judge_claims(b, 0, "A", "ok", 0.525, 0.525);
	assert_string_equal(b->claims[0].kind, "throughput");
	judge_claims(b, 1, "A", "ok", 7.38, 7.38);
}

/* In a class whose kernels have states two shapes that differ are two
 * states. */
TEST_ON(shapes_that_differ_are_states_of_an_unsteady_class,
	struct judge_bench *b)
{
	(void)judge_add(b, "throughput:A", 0.565, 0.565);
	judge_add(b, "loop:A", 0.5, 0.5)->estimate.unsteady = true;
	(void)judge_add(b, "throughput:B", 0.51, 0.51);
	judge_add(b, "loop:B", 0.5, 0.5)->estimate.unsteady = true;
	judge_claims(b, 0, "A", "two-states", 0.5, 0.565);
	judge_claims(b, 1, "B", "ok", 0.5, 0.5);
}

/* Taken branches: 0.9 a branch on a line that two visits share, but whole
 * iterations of the short loop cost 0.6.  The line is not the branch's. */
TEST_ON(whole_iterations_disprove_a_slope, struct judge_bench *b)
{
	judge_add(b, "throughput:A", 1.06, 1.06)->estimate.bound = 1.1;
	judge_add(b, "loop:A", 0.9, 0.9)->estimate.bound = 0.6;
	judge_add(b, "throughput:B", 1.06, 1.06)->estimate.bound = 1.1;
	judge_add(b, "loop:B", 0, -1)->estimate.bound = 0.6;
	/* Little less is what a slowed calibration does. */
	judge_add(b, "throughput:C", 1, 1)->estimate.bound = 0.97;
	judge_claims(b, 0, "A", "not-linear", 0.125, 0.6);
	judge_claims(b, 1, "B", "not-linear", 0.125, 0.6);
	judge_claims(b, 2, "C", "ok", 1, 1);
}

/* A small loop seemed faster in some visits, too few for a value: then the long
 * body's is not the form's. */
TEST_ON(an_unstable_shape_that_seems_faster_leaves_a_range,
	struct judge_bench *b)
{
	(void)judge_add(b, "throughput:A", 0.561, 0.561);
	judge_add(b, "loop:A", 0.51, 0.54)->estimate.state = VERDICT_UNSTABLE;
	(void)judge_add(b, "throughput:B", 0.525, 0.525);
	judge_add(b, "loop:B", 0.51, 0.54)->estimate.state = VERDICT_UNSTABLE;
	judge_claims(b, 0, "A", "unstable", 0.51, 0.561);
	assert_part(b->claims[0].detail, "small loop from 0.51");
	judge_claims(b, 1, "B", "ok", 0.525, 0.525);
}
