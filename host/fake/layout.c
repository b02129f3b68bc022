/* Occupancy by layout: accesses by their distance from the one before, branches
 * by that to the next. */
#include <string.h>

#include "host/fake/op.h"

enum { LINE = 64, CLOSE = 16 };

static bool accesses(const struct fake_op *op)
{
	return op->takes[FAKE_LOAD] || op->takes[FAKE_STORE];
}

static void space(struct fake_op *op, enum core_spacing spacing)
{
	if (op->core && op->core->spaced[spacing])
		op->core = op->core->spaced[spacing];
}

/* A form that has such an occupancy is a branch. */
static void space_branch(struct fake_op *op)
{
	if (op->n_next < CLOSE)
		space(op, CORE_DENSE);
	else if (op->n_next < LINE)
		space(op, CORE_CLOSE);
}

static void space_access(struct fake_op *op, uint64_t before)
{
	if (op->address == before)
		space(op, CORE_SAME_PLACE);
	else if (op->address / LINE == before / LINE)
		space(op, CORE_SAME_LINE);
	else
		space(op, CORE_OTHER_LINE);
}

/* The previous access of the same kind.  The loop repeats, so the last
 * access precedes the first.  An access with several instances counts at its
 * first. */
void fake_space_ops(struct fake_op *ops, const uint16_t *sequence, size_t n)
{
	uint64_t before[2] = { 0 }; /* load, store */
	uint16_t n_seen = 0;

	for (size_t i = 0; i < n; i++)
		if (accesses(&ops[sequence[i]]))
			before[ops[sequence[i]].takes[FAKE_STORE]] =
				ops[sequence[i]].address;
	for (size_t i = 0; i < n; i++) {
		struct fake_op *op = &ops[sequence[i]];
		bool first = sequence[i] >= n_seen;

		n_seen = first ? (uint16_t)(sequence[i] + 1) : n_seen;
		if (first && accesses(op))
			space_access(op, before[op->takes[FAKE_STORE]]);
		else if (first)
			space_branch(op);
		if (accesses(op))
			before[op->takes[FAKE_STORE]] = op->address;
	}
}
