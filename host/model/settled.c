/* Verdicts with values; see settled.h and docs/method.md. */
#include "host/model/settled.h"

#include <string.h>

/* Largest relative width of an interval that counts as an exact value. */
static const double exact_width = 0.05;

static const struct {
	const char *verdict;
	bool exact, two;
} rows[] = {
	{ .verdict = "ok", .exact = true },
	{ .verdict = "eliminated", .exact = true },
	{ .verdict = "mixture", .exact = true },
	{ .verdict = "two-states", .two = true },
	{ .verdict = "throughput-bound" },
	{ .verdict = "circle" },
	{ .verdict = "helper" },
	{ .verdict = "register-bound" },
	{ .verdict = "dependent" },
	{ .verdict = "decode-bound" },
	{ .verdict = "not-linear" },
};

/* Row of the claim's verdict; ARRAY_LEN(rows) if the claim is not settled. */
static size_t find_verdict(const struct claim *c)
{
	size_t i = 0;

	while (i < ARRAY_LEN(rows) && strcmp(c->verdict, rows[i].verdict) != 0)
		i++;
	return c->has_value ? i : ARRAY_LEN(rows);
}

bool claim_settled(const struct claim *c)
{
	return find_verdict(c) < ARRAY_LEN(rows);
}

bool claim_two_values(const struct claim *c)
{
	size_t i = find_verdict(c);

	return i < ARRAY_LEN(rows) && rows[i].two;
}

bool claim_exact(const struct claim *c, double *ret)
{
	size_t i = find_verdict(c);

	if (i == ARRAY_LEN(rows) || rows[i].two)
		return false;
	if (c->low_cycles != c->high_cycles &&
	    (!rows[i].exact ||
	     c->high_cycles - c->low_cycles > exact_width * c->high_cycles))
		return false;
	*ret = (c->low_cycles + c->high_cycles) / 2;
	return true;
}
