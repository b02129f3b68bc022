/* Results that a port search keeps, and its budget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "host/cli/ports.h"

static void add(struct ports_answers *a, const char *label, double cycles,
		double sigma)
{
	const struct ports_value v = { sigma >= 0, cycles, sigma };

	ports_answers_add(a, label, &v);
}

static void one_good_result_is_enough(void **state)
{
	struct ports_answers *a = ports_answers_new();
	struct ports_value v;

	(void)state;
	assert_false(ports_answers_take(a, "mix:A", &v));
	add(a, "mix:A", 2, 0.001);
	add(a, "mix:A", 3, 0.001);
	assert_true(ports_answers_take(a, "mix:A", &v));
	assert_true(v.has_value);
	assert_float_equal(v.cycles, 2, 1e-9);
	/* Each result is used once: the next request gets the next one. */
	assert_true(ports_answers_take(a, "mix:A", &v));
	assert_float_equal(v.cycles, 3, 1e-9);
	assert_false(ports_answers_take(a, "mix:A", &v));
	assert_false(ports_answers_take_any(a, "mix:A", &v));
	ports_answers_free(a);
}

static void rough_results_are_joined(void **state)
{
	struct ports_answers *a = ports_answers_new();
	struct ports_value v;

	(void)state;
	add(a, "mix:A", 2, 0.02);
	assert_false(ports_answers_take(a, "mix:A", &v));
	/* The more precise one has more weight. */
	add(a, "mix:A", 2.1, 0.01);
	assert_false(ports_answers_take(a, "mix:A", &v));
	assert_true(ports_answers_take_any(a, "mix:A", &v));
	assert_float_equal(v.cycles, 2.08, 1e-9);
	assert_true(v.sigma < 0.01);
	/* One request gets at most four results. */
	for (int i = 0; i < 4; i++)
		add(a, "mix:A", 5, 0.5);
	assert_true(ports_answers_take(a, "mix:A", &v));
	assert_float_equal(v.cycles, 5, 1e-9);
	ports_answers_free(a);
}

/* A visit at a quarter of the speed, and two that agree. */
static void results_that_differ_are_not_averaged(void **state)
{
	struct ports_answers *a = ports_answers_new();
	struct ports_value v;

	(void)state;
	add(a, "mix:A", 4.5, 0.0055);
	add(a, "mix:A", 1, 0.0055);
	assert_false(ports_answers_take(a, "mix:A", &v));
	add(a, "mix:A", 1.002, 0.0055);
	assert_true(ports_answers_take(a, "mix:A", &v));
	assert_float_equal(v.cycles, 1.001, 1e-9);
	/* When no more results come, the faster one counts. */
	add(a, "mix:B", 4.5, 0.0055);
	add(a, "mix:B", 1, 0.0055);
	assert_true(ports_answers_take_any(a, "mix:B", &v));
	assert_float_equal(v.cycles, 1, 1e-9);
	ports_answers_free(a);
}

static void what_cannot_be_had_is_not_asked_again(void **state)
{
	struct ports_answers *a = ports_answers_new();
	struct ports_value v;

	(void)state;
	add(a, "mix:A", 0, -1);
	assert_true(ports_answers_take(a, "mix:A", &v));
	assert_false(v.has_value);
	/* An imprecise result and a fault: the result counts. */
	add(a, "mix:A", 2, 0.02);
	add(a, "mix:A", 0, -1);
	assert_true(ports_answers_take_any(a, "mix:A", &v));
	assert_true(v.has_value);
	assert_float_equal(v.cycles, 2, 1e-9);
	ports_answers_free(a);
}

static void many_labels_stay_apart(void **state)
{
	enum { MANY = 20000 };
	struct ports_answers *a = ports_answers_new();
	char label[32];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(label, sizeof(label), "mix:%dxA", i);
		add(a, label, i, 0.001);
	}
	for (int i = 0; i < MANY; i++) {
		struct ports_value v;

		(void)snprintf(label, sizeof(label), "mix:%dxA", i);
		assert_true(ports_answers_take(a, label, &v));
		assert_float_equal(v.cycles, i, 1e-9);
	}
	ports_answers_free(a);
}

static void budgets_are_times_or_kernels(void **state)
{
	static const struct {
		const char *text;
		int code;
		double seconds;
		size_t kernels;
	} rows[] = {
		{ NULL, ERR_OK, 0, 0 },      { "90s", ERR_OK, 90, 0 },
		{ "1.5m", ERR_OK, 90, 0 },   { "2h", ERR_OK, 7200, 0 },
		{ "5000", ERR_OK, 0, 5000 }, { "0", ERR_USAGE, 0, 0 },
		{ "-1s", ERR_USAGE, 0, 0 },  { "nan", ERR_USAGE, 0, 0 },
		{ "1e30", ERR_USAGE, 0, 0 }, { "10 m", ERR_USAGE, 0, 0 },
		{ "", ERR_USAGE, 0, 0 },     { "m", ERR_USAGE, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		double seconds = 0;
		size_t kernels = 0;

		assert_int_equal(
			ports_budget(rows[i].text, &seconds, &kernels, &e),
			rows[i].code);
		assert_float_equal(seconds, rows[i].seconds, 1e-9);
		assert_int_equal(kernels, rows[i].kernels);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_good_result_is_enough),
		cmocka_unit_test(rough_results_are_joined),
		cmocka_unit_test(results_that_differ_are_not_averaged),
		cmocka_unit_test(what_cannot_be_had_is_not_asked_again),
		cmocka_unit_test(many_labels_stay_apart),
		cmocka_unit_test(budgets_are_times_or_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
