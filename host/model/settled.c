/* Verdicts with values; see settled.h and docs/method.md. */
#include "host/model/settled.h"

#include <math.h>
#include <string.h>

/* Largest relative width of an interval that counts as an exact value. */
static const double exact_width = 0.05;

/* What a verdict says of its value. */
enum worth {
	NO_VALUE, /* not published, or without a proof */
	PORTS,    /* of ports alone, which models read elsewhere */
	BOUNDS,   /* valid, tight or not */
	TWO,      /* two observed values */
	EXACT, /* the mean of a mixture, too: a steady loop takes that time */
};

/* Every verdict of docs/method.md. */
static const struct {
	const char *verdict;
	enum worth worth;
} rows[] = {
	{ .verdict = "ok", EXACT },
	{ .verdict = "mixture", EXACT },
	{ .verdict = "eliminated", EXACT },
	{ .verdict = "two-states", TWO },
	{ .verdict = "throughput-bound", BOUNDS },
	{ .verdict = "circle", BOUNDS },
	{ .verdict = "helper", BOUNDS },
	{ .verdict = "register-bound", BOUNDS },
	{ .verdict = "dependent", BOUNDS },
	{ .verdict = "decode-bound", BOUNDS },
	/* Has no slope, but bounds. */
	{ .verdict = "not-linear", BOUNDS },
	{ .verdict = "open", PORTS },
	{ .verdict = "contradiction", NO_VALUE },
	{ .verdict = "no-chain", NO_VALUE },
	/* The kernel may not be a chain. */
	{ .verdict = "no-control", NO_VALUE },
	{ .verdict = "unsure", NO_VALUE },
	{ .verdict = "misfit", NO_VALUE },
	{ .verdict = "closes", NO_VALUE },
	{ .verdict = "noisy", NO_VALUE },
	{ .verdict = "unstable", NO_VALUE },
	{ .verdict = "implausible", NO_VALUE },
	{ .verdict = "missing", NO_VALUE },
	{ .verdict = "company", NO_VALUE },
	{ .verdict = "no-calibration", NO_VALUE },
	{ .verdict = "bad-data", NO_VALUE },
};

static enum worth worth_of(const char *verdict, bool *ret_known)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(verdict, rows[i].verdict) == 0) {
			*ret_known = true;
			return rows[i].worth;
		}
	*ret_known = strncmp(verdict, "fault:", strlen("fault:")) == 0;
	return NO_VALUE;
}

static enum worth worth_of_claim(const struct claim *c)
{
	bool known;

	return c->has_value ? worth_of(c->verdict, &known) : NO_VALUE;
}

bool model_takes_verdict(const char *verdict, bool *ret_known)
{
	return worth_of(verdict, ret_known) != NO_VALUE;
}

bool claim_taken(const struct claim *c)
{
	return worth_of_claim(c) != NO_VALUE;
}

bool claim_settled(const struct claim *c)
{
	return worth_of_claim(c) >= BOUNDS;
}

bool claim_two_values(const struct claim *c)
{
	return worth_of_claim(c) == TWO;
}

bool claim_exact(const struct claim *c, double *ret)
{
	enum worth worth = worth_of_claim(c);

	if (worth < BOUNDS || worth == TWO)
		return false;
	if (c->low_cycles != c->high_cycles &&
	    (worth != EXACT ||
	     c->high_cycles - c->low_cycles > exact_width * c->high_cycles))
		return false;
	*ret = claim_middle(c);
	return true;
}

bool claim_is(const struct claim *c, const char *kind)
{
	return strcmp(c->kind, kind) == 0;
}

struct model_span claim_span(const struct claim *c)
{
	return (struct model_span){ c->has_value, c->low_cycles,
				    c->high_cycles };
}

double claim_middle(const struct claim *c)
{
	return (c->low_cycles + c->high_cycles) / 2;
}

uint32_t claim_size(const struct claim *c)
{
	bool valid = c->has_value && c->low_cycles >= 1 && c->high_cycles < 1e6;

	return valid ? (uint32_t)lround(claim_middle(c)) : 0;
}

int claim_whole(const struct claim *c, int limit)
{
	if (!c->has_value || !(c->low_cycles >= 0 && c->low_cycles < limit) ||
	    c->low_cycles != floor(c->low_cycles))
		return -1;
	return (int)c->low_cycles;
}

bool claim_set_field(const struct claim *c, const struct model_record *r,
		     void *record)
{
	const struct model_field *f = r->fields, *end = f + r->n;
	void *to;

	while (f < end && (!f->claim || !claim_is(c, f->claim)))
		f++;
	if (f == end)
		return false;
	to = (char *)record + f->at;
	if (f->kind == FIELD_SIZE) {
		uint32_t size = claim_size(c);

		if (size > 0 && (f->most == 0 || size <= f->most))
			*(uint32_t *)to = size;
	} else if (claim_taken(c)) {
		*(struct model_span *)to = claim_span(c);
	}
	return true;
}
