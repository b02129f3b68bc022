/* Assignments of uops to ports that agree with what kernels showed. */
#include "host/ports/assignments.h"

#include "tests/unit/unit.h"

enum { ONE = 1, OTHER = 2, BOTH = 3, THIRD = 4, ROOM = 16 };

static const model_ports sets[] = { ONE, BOTH, THIRD };

static size_t list_of(const struct assignments_kernel *kernels, size_t n,
		      unsigned slots, double alone, unsigned slower,
		      struct assignment ret[ROOM], bool *ret_all)
{
	const struct assignments_problem p = {
		.n_sets = ARRAY_LEN(sets),
		.sets = sets,
		.n_kernels = n,
		.kernels = kernels,
		.n_targets = ARRAY_LEN(sets),
		.targets = sets,
		.slots = slots,
		.uops = slots,
		.width = 6,
		.alone = alone,
		.above = 0.01,
		.slower = slower,
	};

	return assignments_list(&p, ret, ROOM, ret_all);
}

/* One slot: nothing, or a uop on one of the sets; those first that take the
 * fewest cycles. */
TEST(nothing_measured)
{
	struct assignment a[ROOM];
	bool all;

	assert_int_equal(list_of(NULL, 0, 1, 1, 0, a, &all), 7);
	assert_true(all);
	assert_int_equal(a[0].n, 0);
	assert_int_equal(a[1].part[0].ports, ONE);
	assert_int_equal(a[2].part[0].ports, BOTH);
	assert_int_equal(a[3].part[0].ports, THIRD);
	/* One uop that holds one of two ports for two cycles. */
	assert_int_equal(a[4].part[0].ports, BOTH);
	assert_int_equal(a[4].cycles, 2);
	assert_false(a[4].part[0].whole);
	/* Or both for one. */
	assert_int_equal(a[5].part[0].ports, BOTH);
	assert_true(a[5].part[0].whole);
	/* And that, with the slot for another uop. */
	assert_int_equal(a[6].n, 2);
	assert_int_equal(a[6].part[0].ports, THIRD);
	assert_true(a[6].part[1].whole);
	assert_false(a[2].explains);
	assert_true(a[4].explains);
}

/* A uop that holds all ports of a set takes a cycle of each. */
TEST(a_uop_that_holds_several_ports)
{
	static const struct assignments_kernel seen[] = {
		{ BOTH, 2, 2 },
		{ ONE, 1, 1 },
		{ THIRD, 0, 0 },
	};
	struct model_use uses[ASSIGNMENTS_MAX_USES];
	struct assignment a[ROOM];
	bool all;

	assert_int_equal(list_of(seen, 3, 1, 1, 0, a, &all), 1);
	assert_true(all);
	assert_true(a[0].part[0].whole);
	assert_int_equal(assignments_within(&a[0], ONE), 1);
	assert_int_equal(assignments_within(&a[0], BOTH), 2);
	assert_int_equal(assignments_uses(&a[0], 1, uses), 2);
	assert_int_equal(uses[0].ports, ONE);
	assert_int_equal(uses[1].ports, OTHER);
	assert_true(uses[1].n_uops == 1 && uses[1].cycles == 1);
}

/* A form is not faster alone than its ports. */
TEST(faster_than_its_ports)
{
	struct assignment a[ROOM];
	bool all;

	assert_int_equal(list_of(NULL, 0, 1, 0.5, 0, a, &all), 2);
	assert_int_equal(a[1].part[0].ports, BOTH);
}

TEST(kernels_decide)
{
	const struct assignments_kernel kernels[] = {
		{ .ports = BOTH, .least = 2, .most = 2 },
		{ .ports = ONE, .least = 1, .most = 1 },
		{ .ports = THIRD, .least = 0, .most = 0 },
	};
	struct assignment a[ROOM];
	struct model_use uses[ASSIGNMENTS_MAX_USES];
	bool all;

	assert_int_equal(list_of(kernels, 3, 2, 1, 0, a, &all), 1);
	assert_true(all);
	assert_int_equal(a[0].n, 2);
	assert_int_equal(assignments_within(&a[0], ONE), 1);
	assert_int_equal(assignments_within(&a[0], BOTH), 2);
	assert_int_equal(assignments_uses(&a[0], 2, uses), 2);
	/* Three cycles of two slots: one uop takes two. */
	a[0].part[1].cycles = 2;
	a[0].cycles = 3;
	assert_int_equal(assignments_uses(&a[0], 2, uses), 2);
	assert_true(uses[1].n_uops == 1 && uses[1].cycles == 2);
}

/* A kernel may show more than the uops take, if that is allowed; never less. */
TEST(slower_kernels)
{
	struct assignments_kernel kernels[] = {
		{ .ports = BOTH, .least = 1, .most = 1 },
		{ .ports = ONE, .least = 0, .most = 0 },
		{ .ports = THIRD, .least = 1, .most = 1 },
	};
	struct assignment a[ROOM];
	bool all;

	assert_int_equal(list_of(kernels, 3, 1, 1, 0, a, &all), 0);
	assert_true(all);
	assert_int_equal(list_of(kernels, 3, 1, 1, 1, a, &all), 2);
	kernels[2].least = 0;
	assert_int_equal(list_of(kernels, 3, 1, 1, 0, a, &all), 1);
	assert_int_equal(a[0].part[0].ports, BOTH);
}

/* More assignments than there is room for. */
TEST(no_room)
{
	struct assignment a[ROOM];
	bool all;

	assert_int_equal(list_of(NULL, 0, 4, 8, 0, a, &all), ROOM);
	assert_false(all);
}
