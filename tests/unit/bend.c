/* The search for iterations keeps a kernel's budget, up to half a row, whatever
 * its lengths do. */
#include "common/bend.h"
#include "tests/unit/unit.h"

/* A kernel whose length i takes start + n * per[i] cycles. */
struct kernel {
	const char *name;
	uint64_t start;
	uint64_t per[PACK_LENGTHS]; /* thousandths of a cycle */
	bool apart;                 /* do its lengths reach the range? */
};

static const struct kernel kernels[] = {
	{ "a chain of 24 to 72", 98, { 24000, 48000, 72000 }, true },
	{ "a quarter of a cycle", 98, { 6000, 12000, 18000 }, true },
	{ "a slow division", 60, { 864000, 1728000, 2592000 }, true },
	{ "a small loop", 98, { 16000, 32000, 48000 }, true },
	/* a wider core executes one, two and three NOPs in the same time */
	{ "lengths that take the same time", 98, { 1000, 1000, 1000 }, false },
	{ "lengths that take nearly the same time",
	  98,
	  { 1000, 1004, 1008 },
	  false },
	{ "an endless half", 98, { 500, 500, 500 }, false },
};

static uint64_t length_of(const struct kernel *k, int i, uint64_t n)
{
	return k->start + n * k->per[i] / 1000;
}

static uint64_t row_of(const struct kernel *k, uint64_t n)
{
	return length_of(k, 0, n) + length_of(k, 1, n) + length_of(k, 2, n);
}

/* As core/measure.c: cycles of the search and of the rows behind it. */
static uint64_t spend(const struct kernel *k, uint64_t budget, uint64_t *ret_n)
{
	enum { ROUNDS = 16 };
	struct bend_plan plan = bend_plan(budget, BEND_ROWS);
	uint64_t n = bend_first(length_of(k, 2, 1)), next;
	uint64_t left = budget - length_of(k, 0, n) - length_of(k, 2, n);

	for (int round = 0; round < ROUNDS; round++) {
		next = bend_iterations(n, length_of(k, 0, n),
				       length_of(k, PACK_LENGTHS - 1, n),
				       plan.range, left);
		if (next == n && round > 0)
			break;
		n = next;
		left -= row_of(k, n) < left ? row_of(k, n) : left;
	}
	*ret_n = n;
	return budget - left +
	       bend_rows(&plan, left, row_of(k, n)) * row_of(k, n);
}

TEST(a_budget_holds_for_every_kernel)
{
	for (size_t i = 0; i < ARRAY_LEN(kernels); i++) {
		uint64_t n, spent = spend(&kernels[i], BEND_BUDGET, &n);

		if (spent > BEND_BUDGET + row_of(&kernels[i], n) / 2)
			fail_msg("%s: %llu cycles of %d", kernels[i].name,
				 (unsigned long long)spent, BEND_BUDGET);
	}
}

TEST(lengths_get_apart_where_they_can)
{
	for (size_t i = 0; i < ARRAY_LEN(kernels); i++) {
		const struct kernel *k = &kernels[i];
		uint64_t n;

		(void)spend(k, BEND_BUDGET, &n);
		if (k->apart &&
		    length_of(k, 2, n) - length_of(k, 0, n) < BEND_RANGE)
			fail_msg("%s: n=%llu", k->name, (unsigned long long)n);
	}
}
