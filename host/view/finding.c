/* See finding.h. */
#include "host/view/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KILO = 1024 };

static const struct {
	const char *key, *word;
} units[FINDING_N_UNITS] = {
	[FINDING_BYTES] = { "bytes", "" },
	[FINDING_CYCLES] = { "cycles", "cycles" },
	[FINDING_COUNT] = { "count", "" },
	[FINDING_RATE] = { "bytes/cycle", "B/cycle" },
	[FINDING_PREFETCH] = { "flag", "" },
};

const char *finding_unit_key(enum finding_unit unit)
{
	return units[unit].key;
}

const char *finding_unit_word(enum finding_unit unit)
{
	return units[unit].word;
}

enum finding_unit finding_unit_of(const char *key)
{
	for (enum finding_unit u = 0; u < FINDING_N_UNITS; u++)
		if (strcmp(units[u].key, key) == 0)
			return u;
	return FINDING_COUNT;
}

/* "48K", or bytes where they are no whole number of K; as files of caches have
 * them. */
static void bytes_text(char out[FINDING_NUMBER], double x)
{
	uint64_t n = (uint64_t)(x + 0.5);
	const char *unit = "";

	if (n % KILO == 0 && n > 0) {
		n /= KILO;
		unit = "K";
		if (n % KILO == 0) {
			n /= KILO;
			unit = "M";
		}
	}
	(void)snprintf(out, FINDING_NUMBER, "%llu%s", (unsigned long long)n,
		       unit);
}

void finding_number(char out[FINDING_NUMBER], enum finding_unit unit, double x)
{
	/* Of a damaged database: no more than a number has room for. */
	static const double most = 1e18;

	if (!(x >= 0 && x <= most))
		(void)snprintf(out, FINDING_NUMBER, "%.4g", x);
	else if (unit == FINDING_PREFETCH)
		(void)snprintf(out, FINDING_NUMBER, "%s",
			       x > 0 ? "streams" : "none");
	else if (unit == FINDING_BYTES)
		bytes_text(out, x);
	else if (unit == FINDING_COUNT)
		(void)snprintf(out, FINDING_NUMBER, "%.0f", x);
	else
		(void)snprintf(out, FINDING_NUMBER, "%.*f", x < 10 ? 2 : 1, x);
}

void finding_text(char out[FINDING_SPAN], const struct claim *c)
{
	enum finding_unit unit = finding_unit_of(c->destination);
	char low[FINDING_NUMBER], high[FINDING_NUMBER];

	if (!c->has_value) {
		(void)snprintf(out, FINDING_SPAN, "-");
		return;
	}
	finding_number(low, unit, c->low_cycles);
	finding_number(high, unit, c->high_cycles);
	if (c->verdict == VERDICT_AT_LEAST)
		(void)snprintf(out, FINDING_SPAN, "%s or more", low);
	else if (strcmp(low, high) == 0)
		(void)snprintf(out, FINDING_SPAN, "%s", low);
	else
		(void)snprintf(out, FINDING_SPAN, "%s..%s", low, high);
}

struct view_claims finding_claims(const struct view_claims *all,
				  const char *kind)
{
	struct view_claims ret = { .n = 0 };

	for (size_t i = 0; i < all->n; i++) {
		const struct claim *c = &all->list[i];

		if (*c->form != '\0' || !claim_is(c, kind))
			continue;
		if (ret.n == 0)
			ret.list = c;
		ret.n++;
	}
	return ret;
}

static int by_x(const void *a, const void *b)
{
	const struct finding_point *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

struct finding_point *finding_curve(struct arena *a,
				    const struct view_claims *all,
				    const char *curve, size_t *ret_n)
{
	struct view_claims part = finding_claims(all, CLAIM_CURVE);
	struct finding_point *ret =
		ARENA_ARRAY(a, struct finding_point, part.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < part.n; i++) {
		const struct claim *c = &part.list[i];
		double x = strtod(c->destination, NULL);

		/* Both axes are logarithms. */
		if (strcmp(c->source, curve) == 0 && c->has_value && x > 0 &&
		    c->low_cycles > 0)
			ret[n++] = (struct finding_point){ x, c };
	}
	if (n > 0)
		qsort(ret, n, sizeof(*ret), by_x);
	*ret_n = n;
	return ret;
}
