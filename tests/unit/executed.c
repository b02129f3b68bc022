/* Which instructions a loop executes, from a trace. */
#include "tests/validate/executed.h"
#include "host/base/file.h"
#include "tests/unit/unit.h"

static const struct loop loop = { .first = 10, .last = 12, .closed = true };

/* The path as text of a trace that repeats `body` so often, behind some other
 * instructions and in front of a last iteration that leaves the loop. */
static const char *path_of(struct arena *a, const uint32_t *body, size_t n,
			   size_t times)
{
	static const uint32_t before[] = { 0, 1, UINT32_MAX, 2 },
			      behind[] = { 10, 30, 31 };
	struct buffer order = { 0 };
	struct executed path;

	buffer_add(&order, before, sizeof(before));
	for (size_t i = 0; i < times; i++)
		buffer_add(&order, body, n * sizeof(*body));
	buffer_add(&order, behind, sizeof(behind));
	path = executed_find(a, &loop, (const void *)order.bytes,
			     order.n / sizeof(*body));
	buffer_free(&order);
	return executed_text(a, &path);
}

#define ASSERT_PATH(text, times, ...)                                       \
	do {                                                                \
		const uint32_t body[] = { __VA_ARGS__ };                    \
                                                                            \
		assert_string_equal(                                        \
			path_of(&a, body, ARRAY_LEN(body), (times)), text); \
	} while (0)

TEST(paths)
{
	SCOPED(arena_free) struct arena a = { 0 };

	/* As it stands in the code. */
	ASSERT_PATH("-", 20, 10, 11, 12);
	/* A part of it is elsewhere. */
	ASSERT_PATH("10-11,20-21,12-12/1", 20, 10, 11, 20, 21, 12);
	/* A part is jumped over. */
	ASSERT_PATH("10-10,12-12/1", 20, 10, 12);
	/* Every second iteration is another one. */
	ASSERT_PATH("10-12,10-10,12-12/2", 20, 10, 11, 12, 10, 12);
	/* Too few to be known, and one that is not in the program. */
	ASSERT_PATH("-", 2, 10, 11, 12, 10, 12);
	ASSERT_PATH("-", 20, 10, UINT32_MAX, 12);
}

/* Iterations that do not repeat have no path. */
TEST(no_period)
{
	uint32_t order[400], n = 0, random = 1;
	SCOPED(arena_free) struct arena a = { 0 };

	while (n + 3 < ARRAY_LEN(order)) {
		random = random * 1664525 + 1013904223;
		order[n++] = 10;
		if (random >> 31)
			order[n++] = 11;
		order[n++] = 12;
	}
	assert_int_equal(executed_find(&a, &loop, order, n).n, 0);
}

TEST(text)
{
	static const char *const bad[] = { "",         "1",      "3-2/1",
					   "0-40/1",   "1-2/0",  "1-2/17",
					   "1-2/1x",   "1,2",    "-1/1",
					   "0-1,/1,1", "1-2/1,", "1-2,x/1" };
	SCOPED(arena_free) struct arena a = { 0 };
	struct executed p;

	assert_true(executed_parse(&a, "10-11,20-21,12-12/2", 40, &p));
	assert_int_equal(p.n, 5);
	assert_int_equal(p.insns[2], 20);
	assert_int_equal(p.n_iterations, 2);
	assert_string_equal(executed_text(&a, &p), "10-11,20-21,12-12/2");
	assert_true(executed_parse(&a, "-", 40, &p));
	assert_int_equal(p.n, 0);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(executed_parse(&a, bad[i], 40, &p));
}

/* Each gap between instructions is a taken branch, and so is the last one. */
TEST(program)
{
	static const struct {
		const char *path;
		uint32_t n_taken;
	} cases[] = { { "0-3/1", 1 },
		      { "0-0,2-3/1", 2 },
		      { "0-3,0-0,3-3/2", 3 } };
	struct insn insns[4] = { 0 };
	const struct program from = { .n = 4, .insns = insns, .placed = true };
	SCOPED(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(insns); i++) {
		insns[i].address = 4 * i;
		insns[i].n_code = 4;
	}
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct executed path;
		struct program p;
		struct loop l;

		assert_true(executed_parse(&a, cases[i].path, 4, &path));
		executed_program(&a, &from, &path, &p, &l);
		assert_int_equal(p.n, path.n);
		assert_int_equal(l.last, path.n - 1);
		assert_true(l.closed && p.placed);
		assert_int_equal(l.n_taken, cases[i].n_taken);
	}
}
