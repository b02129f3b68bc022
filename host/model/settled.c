/* Verdicts with values; see settled.h and docs/verdicts.md. */
#include "host/model/settled.h"

#include <math.h>
#include <string.h>

/* Largest relative width of an interval that counts as an exact value. */
static const double exact_width = 0.05;

bool claim_taken(const struct claim *c)
{
	return c->has_value &&
	       verdict_is(c->verdict, VERDICT_SETTLED | VERDICT_PORTS);
}

bool claim_settled(const struct claim *c)
{
	return c->has_value && verdict_is(c->verdict, VERDICT_SETTLED);
}

bool claim_two_values(const struct claim *c)
{
	return c->has_value && verdict_gives(c->verdict) == VERDICT_GIVES_BOTH;
}

bool claim_exact(const struct claim *c, double *ret)
{
	enum verdict_gives gives = verdict_gives(c->verdict);
	double width = c->high_cycles - c->low_cycles;

	if (!claim_settled(c) || gives == VERDICT_GIVES_BOTH)
		return false;
	/* A steady loop takes the mean of a mixture. */
	if (width != 0 && (gives == VERDICT_GIVES_INTERVAL ||
			   width > exact_width * c->high_cycles))
		return false;
	*ret = claim_middle(c);
	return true;
}

bool claim_is(const struct claim *c, const char *kind)
{
	return strcmp(c->kind, kind) == 0;
}

struct model_mark claim_mark(const struct claim *c)
{
	if (!claim_is(c, "ports") || !claim_taken(c))
		return (struct model_mark){ .kind = MARK_NONE };
	if (c->verdict != VERDICT_OK)
		return (struct model_mark){ .kind = MARK_OPEN };
	if (c->visits > 0)
		return (struct model_mark){ MARK_CHECKED, c->visits };
	return (struct model_mark){ .kind = MARK_MEASURED };
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
