/* What an invented core does not show, or shows in doubt: it is a bound, noisy or not
 * known. */
#include "tests/unit/structures_core.h"

TEST(searches_that_differ_give_no_number)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };
	const struct core_finding *x;

	find_whole((struct whole){ .random = 5, .unsteady = true }, &a, s);
	x = finding(s, "branch.calls");
	assert_false(x->known);
	assert_string_equal(x->reason, "one search found 16, the next one 32");
	assert_true(finding(s, "branch.loop")->known);
	arena_free(&a);
	free(s);
}

TEST(queues_need_a_window)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 6, .window = WINDOW_SILENT }, &a,
		   s);
	assert_string_equal(finding(s, "queue.stores")->reason, "needs window");
	assert_false(finding(s, "registers.integer")->known);
	/* It holds more than the others need. */
	find_whole((struct whole){ .random = 7, .window = WINDOW_ENDLESS }, &a,
		   s);
	assert_false(finding(s, "window")->known);
	assert_true(finding(s, "registers.integer")->known);
	arena_free(&a);
	free(s);
}

/* A difference whose interval has zero is none. */
TEST(a_level_that_costs_no_more_has_no_fill)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 2 }, &a, s);
	assert_true(finding(s, "l1.fill")->known);
	find_whole((struct whole){ .random = 2, .near = true }, &a, s);
	assert_false(finding(s, "l1.fill")->known);
	assert_false(finding(s, "l1.write")->known);
	arena_free(&a);
	free(s);
}

/* 12 lines in flight, each for 60 cycles of a walk and 14 of a load, are 6.2 cycles
 * apart. */
TEST(walks_that_lines_in_flight_limit_have_no_interval)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 9 }, &a, s);
	assert_true(finding(s, "page.interval")->known);
	find_whole((struct whole){ .random = 9, .hidden = true }, &a, s);
	assert_false(finding(s, "page.interval")->known);
	assert_non_null(strstr(finding(s, "page.interval")->reason,
			       "or fewer: the lines in flight"));
	arena_free(&a);
	free(s);
}

/* What the core lacks is unknown, and limits nothing else. */
TEST(a_core_without_vectors_and_flags_has_other_queues)
{
	static const char *const none[] = { "registers.flags",
					    "registers.vector",
					    "scheduler.vector", "queue.vectors",
					    "forward.vector" };
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 10, .simple = true }, &a, s);
	for (size_t i = 0; i < ARRAY_LEN(none); i++)
		assert_false(finding(s, none[i])->known);
	assert_string_equal(finding(s, "registers.flags")->reason, "no flags");
	assert_true(finding(s, "scheduler.integer")->known);
	assert_true(finding(s, "forward.two_stores")->known);
	arena_free(&a);
	free(s);
}

/* The larger window is a bound, as is all that was found with the smaller one. */
TEST(a_window_that_changes_is_a_bound)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };
	const struct core_finding *x;

	find_whole((struct whole){ .random = 11, .shared = true }, &a, s);
	x = finding(s, "window");
	assert_false(x->known);
	assert_true(x->at_least);
	assert_true(x->low >= 186 && x->low <= 200);
	assert_non_null(strstr(x->reason, "another thread of the core"));
	x = finding(s, "scheduler.integer");
	assert_true(x->at_least && x->low >= 36 && x->low <= 40);
	arena_free(&a);
	free(s);
}

/* Two thirds of 200 instructions need more than the 120 registers. */
TEST(a_window_that_registers_may_end_is_a_bound)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };
	const struct core_finding *x;

	find_whole((struct whole){ .random = 13, .one_file = true }, &a, s);
	x = finding(s, "window");
	assert_true(!x->known && x->at_least && x->low >= 186);
	assert_non_null(strstr(x->reason, "registers.integer may be full"));
	assert_true(finding(s, "registers.integer")->known);
	arena_free(&a);
	free(s);
}

TEST(a_disturbed_first_pair_hides_no_queue)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };
	const struct core_finding *x;

	find_whole((struct whole){ .random = 14, .slow_first = true }, &a, s);
	x = finding(s, "window");
	assert_true(x->known && x->low <= 200 && x->high >= 200);
	assert_true(finding(s, "queue.stores")->known);
	arena_free(&a);
	free(s);
}

/* Only as many instructions as filled the window need to be quick by themselves. */
TEST(slow_code_behind_a_window_hides_it_not)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };
	const struct core_finding *x;

	find_whole((struct whole){ .random = 15, .slow_code = true }, &a, s);
	x = finding(s, "window");
	assert_true(x->known && x->low <= 200 && x->high >= 200);
	arena_free(&a);
	free(s);
}

/* Of the step that it disturbed alone. */
TEST(another_thread_of_the_core_makes_findings_noisy)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct buffer b = { 0 };
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 12, .busy = true }, &a, s);
	assert_true(finding(s, "branch.calls")->known);
	assert_true(finding(s, "branch.calls")->noisy);
	assert_false(finding(s, "window")->noisy);
	assert_false(finding(s, "l1.size")->noisy);
	structures_file(&b, s, "invented");
	assert_part(buffer_text(&b), "another thread of the core");
	find_whole((struct whole){ .random = 12 }, &a, s);
	assert_false(finding(s, "branch.calls")->noisy);
	buffer_free(&b);
	arena_free(&a);
	free(s);
}

TEST(memory_is_no_second_level)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 8, .small = true }, &a, s);
	assert_int_equal(s->levels.n, 1);
	assert_false(finding(s, "l1.fill")->known);
	assert_false(finding(s, "l1.write")->known);
	assert_true(finding(s, "memory.bandwidth")->known);
	arena_free(&a);
	free(s);
}
