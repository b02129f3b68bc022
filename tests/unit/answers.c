/* Results that a port search keeps. */
#include "host/campaign/port_answers.h"
#include "tests/unit/unit.h"

static void add(struct port_answers *a, const char *label, double cycles,
		double sigma)
{
	const struct ports_value v = { .has_value = sigma >= 0,
				       .cycles = cycles,
				       .sigma = sigma };

	port_answers_add(a, label, &v);
}

TEST(one_good_result_is_enough)
{
	struct port_answers *a = port_answers_new(ANSWERS_NEW);
	struct ports_value v;

	assert_false(port_answers_take(a, "mix:A", &v));
	add(a, "mix:A", 2, 0.001);
	add(a, "mix:A", 3, 0.001);
	assert_true(port_answers_take(a, "mix:A", &v));
	assert_true(v.has_value);
	assert_float_equal(v.cycles, 2, 1e-9);
	/* Each result is used once: the next request gets the next one. */
	assert_true(port_answers_take(a, "mix:A", &v));
	assert_float_equal(v.cycles, 3, 1e-9);
	assert_false(port_answers_take(a, "mix:A", &v));
	assert_false(port_answers_take_any(a, "mix:A", &v));
	port_answers_free(a);
}

TEST(rough_results_are_joined)
{
	struct port_answers *a = port_answers_new(ANSWERS_NEW);
	struct ports_value v;

	add(a, "mix:A", 2, 0.02);
	assert_false(port_answers_take(a, "mix:A", &v));
	/* The more precise one has more weight. */
	add(a, "mix:A", 2.1, 0.01);
	assert_false(port_answers_take(a, "mix:A", &v));
	assert_true(port_answers_take_any(a, "mix:A", &v));
	assert_float_equal(v.cycles, 2.08, 1e-9);
	assert_true(v.sigma < 0.01);
	/* One request gets at most four results. */
	for (int i = 0; i < 4; i++)
		add(a, "mix:A", 5, 0.5);
	assert_true(port_answers_take(a, "mix:A", &v));
	assert_float_equal(v.cycles, 5, 1e-9);
	port_answers_free(a);
}

/* A visit at a quarter of the speed, and two that agree. */
TEST(results_that_differ_are_not_averaged)
{
	struct port_answers *a = port_answers_new(ANSWERS_NEW);
	struct ports_value v;

	add(a, "mix:A", 4.5, 0.0055);
	add(a, "mix:A", 1, 0.0055);
	assert_false(port_answers_take(a, "mix:A", &v));
	add(a, "mix:A", 1.002, 0.0055);
	assert_true(port_answers_take(a, "mix:A", &v));
	assert_float_equal(v.cycles, 1.001, 1e-9);
	/* When no more results come, the faster one counts. */
	add(a, "mix:B", 4.5, 0.0055);
	add(a, "mix:B", 1, 0.0055);
	assert_true(port_answers_take_any(a, "mix:B", &v));
	assert_float_equal(v.cycles, 1, 1e-9);
	port_answers_free(a);
}

TEST(what_cannot_be_had_is_not_asked_again)
{
	struct port_answers *a = port_answers_new(ANSWERS_NEW);
	struct ports_value v;

	add(a, "mix:A", 0, -1);
	assert_true(port_answers_take(a, "mix:A", &v));
	assert_false(v.has_value);
	/* An imprecise result and a fault: the result counts. */
	add(a, "mix:A", 2, 0.02);
	add(a, "mix:A", 0, -1);
	assert_true(port_answers_take_any(a, "mix:A", &v));
	assert_true(v.has_value);
	assert_float_equal(v.cycles, 2, 1e-9);
	port_answers_free(a);
}

TEST(kept_answers_are_not_used_up)
{
	struct port_answers *a = port_answers_new(ANSWERS_KEPT);
	struct ports_value v;

	add(a, "mix:A", 2, 0.001);
	for (int i = 0; i < 2; i++) {
		assert_true(port_answers_take(a, "mix:A", &v));
		assert_float_equal(v.cycles, 2, 1e-9);
	}
	assert_true(port_answers_tried(a, "mix:A"));
	assert_true(port_answers_want(a, "mix:B"));
	assert_false(port_answers_want(a, "mix:B"));
	port_answers_want_none(a);
	assert_true(port_answers_want(a, "mix:B"));
	assert_false(port_answers_tried(a, "mix:B"));
	port_answers_free(a);
}

/* A search asked twice for a mix, with two attempts each time; the first two gave
 * nothing.  Stored, they give the same answers. */
TEST(a_request_takes_the_stored_attempts_that_it_made)
{
	struct port_answers *a = port_answers_new(ANSWERS_STORED);
	struct ports_value v;

	port_answers_miss(a, "mix:A");
	port_answers_miss(a, "mix:A");
	add(a, "mix:A", 2, 0.001);
	assert_false(port_answers_take(a, "mix:A", &v));
	assert_true(port_answers_take_any(a, "mix:A", &v));
	assert_false(v.has_value);
	assert_true(port_answers_take(a, "mix:A", &v));
	assert_float_equal(v.cycles, 2, 1e-9);
	/* A result behind an attempt is of the same request. */
	port_answers_miss(a, "mix:B");
	add(a, "mix:B", 3, 0.001);
	assert_true(port_answers_take(a, "mix:B", &v));
	assert_float_equal(v.cycles, 3, 1e-9);
	port_answers_free(a);
}

TEST(many_labels_stay_apart)
{
	enum { MANY = 20000 };
	struct port_answers *a = port_answers_new(ANSWERS_NEW);
	char label[32];

	for (int i = 0; i < MANY; i++) {
		(void)snprintf(label, sizeof(label), "mix:%dxA", i);
		add(a, label, i, 0.001);
	}
	for (int i = 0; i < MANY; i++) {
		struct ports_value v;

		(void)snprintf(label, sizeof(label), "mix:%dxA", i);
		assert_true(port_answers_take(a, label, &v));
		assert_float_equal(v.cycles, i, 1e-9);
	}
	port_answers_free(a);
}
