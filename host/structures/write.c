/* Findings as text, as a file of caches and as CSV. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/cache/caches_keys.h"
#include "host/structures/structures.h"

enum {
	USUAL_WAYS = 16,
	BUFFER_WAYS = 16, /* of the second level of buffers, at most */
};

/* ---- text --------------------------------------------------------------------- */

static void print_finding(struct buffer *b, const struct core_finding *x)
{
	char value[FINDING_NUMBER], low[FINDING_NUMBER], high[FINDING_NUMBER],
		interval[2 * FINDING_NUMBER + 4];

	if (x->at_least) {
		finding_number(low, x->unit, x->low);
		buffer_printf(b, "%-18s %12s %-8s %-18s %s\n", x->key, low,
			      finding_unit_word(x->unit), "or more", x->reason);
		return;
	}
	if (!x->known) {
		buffer_printf(b, "%-18s %12s %-8s %-18s %s\n", x->key, "-", "",
			      "not known", x->reason);
		return;
	}
	finding_number(value, x->unit, x->value);
	finding_number(low, x->unit, x->low);
	finding_number(high, x->unit, x->high);
	(void)snprintf(interval, sizeof(interval), "%s..%s", low, high);
	buffer_printf(b, "%-18s %12s %-8s %-18s %s\n", x->key, value,
		      finding_unit_word(x->unit),
		      strcmp(low, high) == 0 ? "" : interval, x->reason);
}

void structures_text(struct buffer *b, const struct structures *s)
{
	if (s->n == 0)
		return;
	buffer_printf(b, "%-18s %12s %-8s %-18s %s\n", "structure", "value", "",
		      "interval", "how it was found, or why not");
	for (size_t i = 0; i < s->n; i++)
		print_finding(b, &s->list[i]);
}

/* ---- a file of caches ---------------------------------------------------------- */

/* As the type of the key wants it. */
static void file_value(char out[FINDING_NUMBER], const struct caches_key *k,
		       const struct core_finding *x)
{
	if (k->type == CACHES_WORD || k->type == CACHES_BYTES ||
	    k->type == CACHES_PAGE)
		finding_number(out, x->unit, x->value);
	else if (k->type == CACHES_RATE)
		(void)snprintf(out, FINDING_NUMBER, "%.3f", x->value);
	else
		(void)snprintf(out, FINDING_NUMBER, "%.0f", fmax(1, x->value));
}

static bool is_pages(const struct core_finding *x)
{
	return strncmp(x->key, "tlb", 3) == 0 ||
	       strncmp(x->key, "page.", 5) == 0;
}

/* Can the file have the buffers?  Only with a walk. */
static bool has_pages(const struct structures *s)
{
	return s->pages.n > 0 && !s->pages.no_walk;
}

static unsigned buffer_ways(const struct structures *s)
{
	uint32_t entries = s->pages.level[1].low;

	return entries < BUFFER_WAYS ? (entries ? entries : 1) : BUFFER_WAYS;
}

/* The most ways up to a usual number that divide a level's size. */
static unsigned stand_in_ways(const struct structures *s, size_t level)
{
	uint32_t line = levels_line(&s->levels);
	unsigned ways = USUAL_WAYS;

	while (ways > 1 &&
	       s->levels.level[level].bytes % ((uint64_t)ways * line) != 0)
		ways--;
	return ways;
}

/* Keys that a file must have, and what stands in where they are not known. */
static void put_missing(struct buffer *b, const struct structures *s)
{
	for (size_t i = 0; i < s->levels.n; i++)
		if (s->levels.level[i].ways == 0)
			buffer_printf(b,
				      "# a usual number that divides the size "
				      "stands in\nl%zu.ways = %u\n",
				      i + 1, stand_in_ways(s, i));
	for (size_t i = 1; i < s->levels.n && s->levels.line; i++)
		buffer_printf(b,
			      "# the first level's stands in\n"
			      "l%zu.line = %u\n",
			      i + 1, (unsigned)s->levels.line);
	if (has_pages(s))
		buffer_printf(b, "# ways were not measured\n"
				 "tlb1.ways = full\n");
	if (has_pages(s) && s->pages.n > 1)
		buffer_printf(b, "tlb2.ways = %u\n", buffer_ways(s));
}

/* One finding: its key, or why it has none. */
static void put_key(struct buffer *b, const struct structures *s,
		    const struct core_finding *x)
{
	unsigned level;
	char key[64];
	const struct caches_key *k;
	struct core_finding rounded = *x;
	char value[FINDING_NUMBER], low[FINDING_NUMBER], high[FINDING_NUMBER];

	(void)snprintf(key, sizeof(key), "%s%s", x->key,
		       x->at_least ? ".least" : "");
	k = caches_key_find(key, &level);

	if (!x->known && !(x->at_least && k)) {
		buffer_printf(b, "# %s: not known: %s\n", x->key, x->reason);
		return;
	}
	if (!k)
		return;
	if (x->at_least) {
		buffer_printf(b, "# %s\n", x->reason);
		rounded.value = x->low;
	}
	if (is_pages(x) && !has_pages(s)) {
		buffer_printf(b, "# %s: left out without page.walk\n", x->key);
		return;
	}
	/* Whole ways. */
	if (strcmp(x->key, "tlb2.entries") == 0)
		rounded.value =
			floor(x->value / buffer_ways(s)) * buffer_ways(s);
	file_value(value, k, &rounded);
	finding_number(low, x->unit, x->low);
	finding_number(high, x->unit, x->high);
	if (x->noisy)
		buffer_printf(b, "# %s\n", x->reason);
	if (x->known && strcmp(low, high) != 0)
		buffer_printf(b, "# %s to %s\n", low, high);
	buffer_printf(b, "%s = %s\n", key, value);
}

void structures_file(struct buffer *b, const struct structures *s,
		     const char *about)
{
	buffer_printf(b,
		      "# Measured by anechoic structures.\ndescribe = %s\n\n",
		      about);
	for (size_t i = 0; i < s->n; i++)
		put_key(b, s, &s->list[i]);
	put_missing(b, s);
}

/* ---- curves ------------------------------------------------------------------- */

void structures_csv(struct buffer *b, const struct structures *s)
{
	buffer_printf(b, "curve,x,cycles,low,high,kernel\n");
	for (size_t i = 0; i < s->levels.n_points; i++) {
		const struct levels_point *p = &s->levels.points[i];

		buffer_printf(b, "bytes,%llu,%.3f,%.3f,%.3f,%s\n",
			      (unsigned long long)p->bytes, p->value.cycles,
			      p->value.low, p->value.high,
			      p->value.label ? p->value.label : "");
	}
	for (size_t i = 0; i < s->pages.n_points; i++) {
		const struct pages_point *p = &s->pages.points[i];

		buffer_printf(b, "pages,%u,%.3f,%.3f,%.3f,\n",
			      (unsigned)p->pages, p->apart, p->apart, p->apart);
	}
}
