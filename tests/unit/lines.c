/* Rules of short loops and their lines of code, on front ends with known
 * rules. */
#include <math.h>

#include "host/base/file.h"
#include "host/effect/lines/fit.h"
#include "tests/unit/unit.h"

/* A front end: cycles of an iteration of a loop in one line or two. */
typedef double front_end(double first, double second);

/* No limit but the width of dispatch. */
static double plain(double first, double second)
{
	return fmax(1, (first + second) / 6);
}

/* Decoded lines hold eight slots of one line of code, and one is read in a
 * cycle; dispatch takes six slots. */
static double eight_of_a_line(double first, double second)
{
	return fmax((first + second) / 6, ceil(first / 8) + ceil(second / 8));
}

/* One cycle for six slots, two for nine to twelve, wherever they are.  As
 * measured on an Emerald Rapids server. */
static double whole_groups(double first, double second)
{
	double slots = first + second;

	return slots > 8 ? fmax(2, slots / 6) : fmax(1, slots / 6);
}

/* A group of six ends with every u-th iteration.  As measured on a Granite
 * Rapids server. */
static double loop_buffer(double first, double second)
{
	double slots = first + second;
	double u = slots <= 16 ? 6 : 4;

	return fmax(1, ceil(u * slots / 6 - 1e-9) / u);
}

/* Twelve slots of a line in a cycle, each further twelve in two more; a first
 * line of at most six pairs with the next; dispatch takes eight.  As measured
 * on a Zen 5 server. */
static double pairs_of_lines(double first, double second)
{
	double sum = 2 * ceil(first / 12) - 1;

	if (second == 0)
		return sum;
	sum += 2 * ceil(second / 12) - 1 - (first <= 6);
	return fmax(sum, (first + second) / 8);
}

/* Lines cost something that is no rule of ours. */
static double unruly(double first, double second)
{
	return fmax(1, fmod(first * 7 + second * second * 3, 11));
}

/* As the plan has them: up to 15 slots in a line, and parts of two lines. */
static struct model_lines fit(front_end *f, double width)
{
	static const uint32_t parts[] = { 3, 6, 7, 9, 12 };
	struct lines_loop list[64];
	size_t n = 0;

	for (uint32_t k = 4; k <= 15; k++)
		list[n++] = (struct lines_loop){ k, 0, f(k, 0) };
	for (size_t a = 0; a < ARRAY_LEN(parts); a++)
		for (size_t b = 0; b < ARRAY_LEN(parts); b++)
			list[n++] =
				(struct lines_loop){ parts[a], parts[b],
						     f(parts[a], parts[b]) };
	return lines_fit(list, n, width);
}

TEST(rules)
{
	static const struct {
		front_end *f;
		double width;
		enum model_lines_rule rule;
		uint32_t free;
	} cases[] = {
		{ plain, 6, MODEL_LINES_TOGETHER, 0 },
		{ eight_of_a_line, 6, MODEL_LINES_EACH, 0 },
		{ whole_groups, 6, MODEL_LINES_TOGETHER, 0 },
		{ loop_buffer, 6, MODEL_LINES_TOGETHER, 0 },
		{ pairs_of_lines, 8, MODEL_LINES_EACH, 6 },
		{ unruly, 6, MODEL_LINES_UNKNOWN, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct model_lines m = fit(cases[i].f, cases[i].width);

		assert_int_equal(m.rule, cases[i].rule);
		assert_int_equal(m.free, cases[i].free);
		assert_true(m.n >= 15);
	}
}

/* A disturbed run has no value for some of the loops in one line. */
TEST(missing_loops)
{
	static const struct lines_loop list[] = {
		{ 5, 0, 1 },   { 6, 0, 1 },    { 7, 0, 1.17 },  { 8, 0, 1.33 },
		{ 11, 0, 2 },  { 12, 0, 2 },   { 13, 0, 2.17 }, { 3, 3, 1 },
		{ 3, 6, 2 },   { 3, 7, 2 },    { 6, 3, 2 },     { 6, 6, 2 },
		{ 7, 3, 2 },   { 7, 6, 2.17 }, { 12, 3, 2.99 }, { 3, 12, 2.5 },
		{ 9, 6, 2.5 }, { 6, 9, 2.5 },  { 12, 12, 4 },
	};
	struct model_lines m = lines_fit(list, ARRAY_LEN(list), 6);
	const double slots[] = { 3, 3 }, more[] = { 4, 5 };

	assert_int_equal(m.rule, MODEL_LINES_TOGETHER);
	assert_true(fabs(lines_cycles(&m, slots, 2) - 1) < 1e-9);
	assert_true(fabs(lines_cycles(&m, more, 2) - 2) < 1e-9);
}

/* With dispatch, loops in any two lines take what the front end takes, but for
 * numbers of slots that were not measured. */
TEST(cycles)
{
	static const struct {
		front_end *f;
		double width;
	} cases[] = {
		{ plain, 6 },       { eight_of_a_line, 6 }, { whole_groups, 6 },
		{ loop_buffer, 6 }, { pairs_of_lines, 8 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct model_lines m = fit(cases[i].f, cases[i].width);

		for (double a = 4; a <= 12; a++)
			for (double b = 1; b <= 12; b++) {
				double slots[] = { a, b };
				double truth = cases[i].f(a, b);
				double cycles = fmax(lines_cycles(&m, slots, 2),
						     (a + b) / cases[i].width);

				if (!(cycles <= truth * 1.035) ||
				    !(cycles >= truth * 0.93))
					fail_msg(
						"%zu: %g + %g slots: %g cycles, not %g",
						i, a, b, cycles, truth);
			}
	}
}

/* Several iterations of the shortest loops start in a cycle: only dispatch
 * counts, also for loops that are shorter than the shortest measured one.  As
 * measured on a Granite Rapids server whose loop buffer was in use. */
static double several_in_a_cycle(double first, double second)
{
	return (first + second) / 6;
}

TEST(shorter_than_measured)
{
	struct model_lines m = fit(several_in_a_cycle, 6);
	struct model_lines one = fit(plain, 6);

	assert_int_equal(m.rule, MODEL_LINES_TOGETHER);
	for (double slots = 1; slots < 4; slots++) {
		assert_true(fabs(lines_cycles(&m, &slots, 1) - slots / 6) <
			    1e-9);
		assert_true(fabs(lines_cycles(&one, &slots, 1) - 1) < 1e-9);
	}
}

TEST(what_is_not_known)
{
	static const struct lines_loop two_lines[] = { { 3, 3, 2 },
						       { 6, 3, 2 } };
	struct model_lines none = lines_fit(NULL, 0, 6);
	struct model_lines two = lines_fit(two_lines, 2, 6);
	struct model_lines rough = fit(unruly, 6);
	const double slots[] = { 8, 8, 8 };

	assert_int_equal(none.n, 0);
	assert_int_equal(two.n, 0);
	assert_true(lines_cycles(&none, slots, 1) == 0);
	assert_true(lines_cycles(&two, slots, 2) == 0);
	assert_true(lines_cycles(&rough, slots, 2) == 0);
	assert_true(lines_cycles(&rough, slots, 1) > 0);
	assert_true(lines_cycles(&rough, slots, 0) == 0);
}
