/* Kernels that need no quiet core, by what a run has learned of their class. */
#include "host/solve/solving.h"
#include "tests/unit/unit.h"

enum { QUIET = 1, ANY = 2, N = 4 };

TEST(a_class_that_a_busy_sibling_leaves_alone)
{
	static struct evidence learned;
	struct solving walk = { .evidence = &learned };
	struct solve_memory m = { .walk = &walk };
	const struct kept kept[] = {
		{ .n = 2, .class = QUIET, .combine = COMBINE_MEDIAN },
		{ .n = 2, .class = ANY, .combine = COMBINE_MEDIAN },
		{ .n = 2, .class = ANY, .combine = COMBINE_LOWEST },
	};
	/* The last kernel was never read. */
	static const bool expected[N] = { false, true, false, false };
	bool any[N] = { true, false, true, true };

	learned.reliability[ANY][COMBINE_MEDIAN].ignored =
		1u << (1u << MARK_SIBLING);
	learned.reliability[QUIET][COMBINE_MEDIAN].ignored =
		1u << (1u << MARK_WIDE);
	buffer_add(&m.kept, kept, sizeof(kept));
	solve_undisturbed(&m, any, N);
	assert_memory_equal(any, expected, sizeof(any));
	m.walk = NULL;
	solve_undisturbed(&m, any, N);
	assert_false(any[1]);
	buffer_free(&m.kept);
}
