/* Which instructions a loop executes, from a trace. */
#include "host/predict/executed.h"
#include "host/base/file.h"
#include "tests/unit/unit.h"

static const struct loop loop = { .first = 10, .last = 12, .closed = true };

/* Instructions 10 to 11, 20 and 12 of one iteration are "10,11,20,12/1". */
static const char *path_text(struct arena *a, const struct executed *p)
{
	struct buffer out = { 0 };

	for (size_t i = 0; i < p->n; i++)
		buffer_printf(&out, "%s%u", i > 0 ? "," : "", p->insns[i]);
	buffer_printf(&out, "/%zu", p->n_iterations);
	return buffer_take(a, &out);
}

/* The path as text, or "none", of a trace that repeats `body` so often, behind some other
 * instructions and in front of a last iteration that leaves the loop. */
static const char *path_of(struct arena *a, const uint32_t *body, size_t n,
			   size_t times)
{
	static const uint32_t before[] = { 0, 1, UINT32_MAX, 2 },
			      behind[] = { 10, 30, 31 };
	struct buffer order = { 0 };
	struct executed path;
	const char *ret = "none";

	buffer_add(&order, before, sizeof(before));
	for (size_t i = 0; i < times; i++)
		buffer_add(&order, body, n * sizeof(*body));
	buffer_add(&order, behind, sizeof(behind));
	if (executed_find(a, &loop, (const void *)order.bytes,
			  order.n / sizeof(*body), &path) == EXECUTED_FOUND)
		ret = path_text(a, &path);
	buffer_free(&order);
	return ret;
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
	ASSERT_PATH("/1", 20, 10, 11, 12);
	/* A part of it is elsewhere. */
	ASSERT_PATH("10,11,20,21,12/1", 20, 10, 11, 20, 21, 12);
	/* A part is jumped over. */
	ASSERT_PATH("10,12/1", 20, 10, 12);
	/* Every second iteration is another one. */
	ASSERT_PATH("10,11,12,10,12/2", 20, 10, 11, 12, 10, 12);
	/* Too few to be known, and one that is not in the program. */
	ASSERT_PATH("none", 2, 10, 11, 12, 10, 12);
	ASSERT_PATH("none", 20, 10, UINT32_MAX, 12);
}

/* Iterations that do not repeat have no path. */
TEST(no_period)
{
	uint32_t order[400], n = 0, random = 1;
	SCOPED(arena_free) struct arena a = { 0 };
	struct executed path;

	while (n + 3 < ARRAY_LEN(order)) {
		random = random * 1664525 + 1013904223;
		order[n++] = 10;
		if (random >> 31)
			order[n++] = 11;
		order[n++] = 12;
	}
	assert_int_equal(executed_find(&a, &loop, order, n, &path),
			 EXECUTED_VARIES);
}

/* Each gap between instructions is a taken branch, and so is the last one. */
TEST(program)
{
	const struct {
		struct executed path;
		uint32_t n_taken;
	} cases[] = { { { 4, (const uint32_t[]){ 0, 1, 2, 3 }, 1 }, 1 },
		      { { 3, (const uint32_t[]){ 0, 2, 3 }, 1 }, 2 },
		      { { 6, (const uint32_t[]){ 0, 1, 2, 3, 0, 3 }, 2 }, 3 } };
	struct insn insns[4] = { 0 };
	const struct program from = { .n = 4, .insns = insns, .placed = true };
	SCOPED(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(insns); i++) {
		insns[i].address = 4 * i;
		insns[i].n_code = 4;
	}
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct executed *path = &cases[i].path;
		struct program p;
		struct loop l;

		executed_program(&a, &from, path, &p, &l);
		assert_int_equal(p.n, path->n);
		assert_int_equal(l.last, path->n - 1);
		assert_true(l.closed && p.placed);
		assert_int_equal(l.n_taken, cases[i].n_taken);
	}
}
