/* Labels of experiments, parsed for the solver. */
#include "host/experiment/label.h"
#include "tests/unit/unit.h"

EACH_NEW(struct arena, arena_free);

TEST_ON(label_with_operands, struct arena *a)
{
	struct label l;

	assert_true(label_split(a, "latency:3xADC64rr@2>EFLAGS+~TEST", &l));
	assert_int_equal(l.kind, EXPERIMENT_LATENCY);
	assert_string_equal(l.form, "ADC64rr");
	assert_string_equal(l.source, "2");
	assert_string_equal(l.destination, "EFLAGS");
	assert_int_equal(l.n_helpers, 1);
	assert_string_equal(l.helpers[0].form, "TEST");
	assert_int_equal(l.helpers[0].count, 1);
}

TEST_ON(label_of_several_forms, struct arena *a)
{
	struct label l;

	assert_true(label_split(a, "latency:A@1>0+~2xH+3xB@1>0", &l));
	assert_string_equal(l.form, "A@1>0+3xB@1>0");
	assert_int_equal(l.instances, 4);
	assert_string_equal(l.source, "");
	assert_int_equal(l.helpers[0].count, 2);
}

TEST_ON(label_form_may_start_with_a_digit, struct arena *a)
{
	struct label l;

	assert_true(label_split(a, "throughput:3DNOW", &l));
	assert_string_equal(l.form, "3DNOW");
	assert_int_equal(l.instances, 1);
}

TEST_ON(bad_labels, struct arena *a)
{
	static const char *const bad[] = {
		"",
		"latency",
		"latency:",
		"latency:@1>0",
		"latency:A@10",
		"throughput:~H",
		"throughput:A+~",
		"throughput:A+~9999xH",
		"throughput:A+~1+~2+~3+~4+~5+~6+~7+~8+~9",
	};
	struct label l;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(label_split(a, bad[i], &l));
}
