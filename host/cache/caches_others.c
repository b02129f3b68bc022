/* Keys of a file of caches that belong to no level of the caches: memory, TLBs
 * and branches. */
#include <stddef.h>
#include <string.h>

#include "host/cache/caches_inner.h"

enum {
	MAX_FRACTION = 6, /* digits behind the point of a bandwidth */
	MAX_ENTRIES = 1 << 20,
	MAX_PENALTY = 1000,
	MAX_WALKERS = 64,
	/* Predictors that are published remember up to some 1,000. */
	MAX_HISTORY = 1024,
	USUAL_HISTORY = 128,
	MAX_LOOP = 1000000,
	MAX_QUEUE = 1024,
};

static const char entries[] = "a number from 1 to 1048576";
static const char ways[] = "a number from 1 to 4096, or full";
static const char cycles[] = "cycles from 1 to 100000";

/* `full` while the file is read. */
#define WAYS_FULL UINT32_MAX

/* Keys with a number. */
static const struct number_key {
	const char *key;
	size_t offset; /* of a uint32_t in struct cache_hierarchy */
	uint64_t min, max;
	bool units, full;
	const char *expected;
} number_keys[] = {
	{ "memory.latency", offsetof(struct cache_hierarchy, memory_latency), 1,
	  CACHES_MAX_LATENCY, false, false, cycles },
	{ "tlb1.entries",
	  offsetof(struct cache_hierarchy, tlb.levels[0].entries), 1,
	  MAX_ENTRIES, false, false, entries },
	{ "tlb1.ways", offsetof(struct cache_hierarchy, tlb.levels[0].ways), 1,
	  CACHE_MAX_WAYS, false, true, ways },
	{ "tlb2.entries",
	  offsetof(struct cache_hierarchy, tlb.levels[1].entries), 1,
	  MAX_ENTRIES, false, false, entries },
	{ "tlb2.ways", offsetof(struct cache_hierarchy, tlb.levels[1].ways), 1,
	  CACHE_MAX_WAYS, false, true, ways },
	{ "tlb2.latency",
	  offsetof(struct cache_hierarchy, tlb.levels[1].latency), 1,
	  CACHES_MAX_LATENCY, false, false, cycles },
	{ "page.contiguous", offsetof(struct cache_hierarchy, pages.contiguous),
	  CACHE_MIN_PAGE, CACHE_MAX_CONTIGUOUS, true, false,
	  "bytes, a power of two from 4K to 2M" },
	{ "page.scattered", offsetof(struct cache_hierarchy, pages.scattered),
	  1, 100, false, false, "percent, a number from 1 to 100" },
	{ "page.size", offsetof(struct cache_hierarchy, tlb.page_bytes),
	  CACHE_MIN_PAGE, CACHE_MAX_PAGE, true, false,
	  "a power of two from 4K to 1G" },
	{ "page.walk", offsetof(struct cache_hierarchy, tlb.walk), 1,
	  CACHES_MAX_LATENCY, false, false, cycles },
	{ "page.walkers", offsetof(struct cache_hierarchy, tlb.walkers), 1,
	  MAX_WALKERS, false, false, "a number from 1 to 64" },
	{ "page.interval", offsetof(struct cache_hierarchy, tlb.interval), 1,
	  CACHES_MAX_LATENCY, false, false, cycles },
	{ "page.crowded", offsetof(struct cache_hierarchy, tlb.crowded), 1,
	  CACHES_MAX_LATENCY, false, false, cycles },
	{ "page.queue", offsetof(struct cache_hierarchy, tlb.queue), 1,
	  MAX_QUEUE, false, false, "a number from 1 to 1024" },
	{ "branch.penalty", offsetof(struct cache_hierarchy, branch_penalty), 1,
	  MAX_PENALTY, false, false, "cycles from 1 to 1000" },
	{ "branch.history", offsetof(struct cache_hierarchy, branch_history), 1,
	  MAX_HISTORY, false, false, "a number from 1 to 1024" },
	{ "branch.loop", offsetof(struct cache_hierarchy, branch_loop), 1,
	  MAX_LOOP, false, false, "iterations from 1 to 1000000" },
};

bool caches_number(const char *s, bool units, uint64_t min, uint64_t max,
		   uint64_t *ret)
{
	uint64_t x = 0;

	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9'; s++) {
		x = 10 * x + (uint64_t)(*s - '0');
		if (x > max)
			return false;
	}
	for (const char *u = "KMG"; units && *s != '\0' && *u; u++)
		if (s[0] == *u && s[1] == '\0') {
			x <<= 10 * (unsigned)(strchr("KMG", *u) - "KMG" + 1);
			s++;
		}
	if (*s != '\0' || x < min || x > max)
		return false;
	*ret = x;
	return true;
}

/* Digits, and a point and at most MAX_FRACTION digits; above 0.  The locale
 * does not matter. */
static bool read_rate(const char *s, double *ret)
{
	double x = 0, unit = 1;
	const char *point = strchr(s, '.');
	uint64_t whole, fraction = 0;
	char digits[16];
	size_t n = point ? (size_t)(point - s) : strlen(s);

	if (n == 0 || n >= sizeof(digits))
		return false;
	memcpy(digits, s, n);
	digits[n] = '\0';
	if (!caches_number(digits, false, 0, CACHES_MAX_LATENCY, &whole))
		return false;
	if (point) {
		if (strlen(point + 1) > MAX_FRACTION ||
		    !caches_number(point + 1, false, 0, 1000 * 1000, &fraction))
			return false;
		for (const char *p = point + 1; *p; p++)
			unit *= 10;
	}
	x = (double)whole + (double)fraction / unit;
	*ret = x;
	return x > 0;
}

static const struct number_key *find_number(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(number_keys); i++)
		if (strcmp(number_keys[i].key, key) == 0)
			return &number_keys[i];
	return NULL;
}

bool caches_other_key(const char *key)
{
	static const char *const others[] = {
		"describe", "memory.bandwidth", "others.bandwidth", "l1.fill",
		"l1.write", "l1.index",         "prefetch"
	};

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (strcmp(others[i], key) == 0)
			return true;
	return find_number(key) != NULL;
}

static bool read_number_key(const struct number_key *k, const char *s,
			    struct cache_hierarchy *h)
{
	uint64_t x = WAYS_FULL;
	uint32_t value;

	if (!(k->full && strcmp(s, "full") == 0) &&
	    !caches_number(s, k->units, k->min, k->max, &x))
		return false;
	if (k->units && (x & (x - 1)) != 0)
		return false;
	value = (uint32_t)x;
	memcpy((char *)h + k->offset, &value, sizeof(value));
	return true;
}

int caches_read_other(const struct conf *conf, const struct conf_entry *x,
		      struct cache_hierarchy *h, struct err *e)
{
	const struct number_key *k = find_number(x->key);
	const char *expected = NULL;

	if (k) {
		if (!read_number_key(k, x->value, h))
			expected = k->expected;
	} else if (strcmp(x->key, "memory.bandwidth") == 0) {
		if (!read_rate(x->value, &h->memory_bytes))
			expected = "bytes per cycle, e.g. 10.5";
	} else if (strcmp(x->key, "others.bandwidth") == 0) {
		if (!read_rate(x->value, &h->others_bytes))
			expected = "bytes per cycle, e.g. 2.5";
	} else if (strcmp(x->key, "l1.fill") == 0) {
		if (!read_rate(x->value, &h->fill_cycles))
			expected = "cycles, e.g. 0.5";
	} else if (strcmp(x->key, "l1.write") == 0) {
		if (!read_rate(x->value, &h->write_cycles))
			expected = "cycles, e.g. 0.5";
	} else if (strcmp(x->key, "l1.index") == 0) {
		h->pages.first = strcmp(x->value, "physical") == 0;
		if (!h->pages.first && strcmp(x->value, "virtual") != 0)
			expected = "physical or virtual";
	} else if (strcmp(x->key, "prefetch") == 0) {
		h->prefetches = strcmp(x->value, "streams") == 0;
		if (!h->prefetches && strcmp(x->value, "none") != 0)
			expected = "streams or none";
	}
	if (!expected)
		return ERR_OK;
	return err_set(e, ERR_INPUT, "%s:%d: %s: expected %s", conf->path,
		       x->line, x->key, expected);
}

static int others_missing(const char *path, const char *key, struct err *e)
{
	return err_set(e, ERR_INPUT, "%s: expected a key '%s'", path, key);
}

static int check_tlb_level(const char *path, unsigned level,
			   struct cache_tlb_level *l, struct err *e)
{
	static const char *const names[CACHE_TLB_LEVELS][2] = {
		{ "tlb1.entries", "tlb1.ways" },
		{ "tlb2.entries", "tlb2.ways" },
	};

	if (!l->entries)
		return others_missing(path, names[level][0], e);
	if (!l->ways)
		return others_missing(path, names[level][1], e);
	if (l->ways == WAYS_FULL && l->entries <= CACHE_MAX_WAYS)
		l->ways = l->entries;
	if (l->ways == WAYS_FULL)
		return err_set(e, ERR_INPUT,
			       "%s: %s: expected at most 4096 entries with "
			       "ways = full",
			       path, names[level][0]);
	if (l->entries % l->ways != 0)
		return err_set(e, ERR_INPUT,
			       "%s: %s: expected a multiple of %u ways", path,
			       names[level][0], (unsigned)l->ways);
	return ERR_OK;
}

static bool has_tlb_level(const struct cache_tlb_level *l)
{
	return l->entries || l->ways || l->latency;
}

int caches_check_others(const char *path, struct cache_hierarchy *h,
			struct err *e)
{
	struct cache_tlb *t = &h->tlb;

	if (has_tlb_level(&t->levels[1]))
		t->n_levels = 2;
	else if (has_tlb_level(&t->levels[0]) || t->walk || t->walkers ||
		 t->interval || t->crowded || t->queue || t->page_bytes)
		t->n_levels = 1;
	for (unsigned i = 0; i < t->n_levels; i++)
		if (check_tlb_level(path, i, &t->levels[i], e) != ERR_OK)
			return e->code;
	if (t->n_levels > 1 && !t->levels[1].latency)
		return others_missing(path, "tlb2.latency", e);
	if (t->n_levels > 0 && !t->walk)
		return others_missing(path, "page.walk", e);
	if (t->walk && t->walk < t->levels[1].latency)
		return err_set(e, ERR_INPUT,
			       "%s: page.walk: expected at least tlb2.latency",
			       path);
	if (!t->crowded != !t->queue)
		return others_missing(
			path, t->crowded ? "page.queue" : "page.crowded", e);
	if (t->crowded && !t->interval)
		return others_missing(path, "page.interval", e);
	if (t->crowded && t->crowded < t->interval)
		return err_set(e, ERR_INPUT,
			       "%s: page.crowded: expected at least "
			       "page.interval",
			       path);
	if (t->n_levels > 0 && !t->page_bytes)
		t->page_bytes = CACHE_MIN_PAGE;
	if (!h->pages.contiguous && (h->pages.scattered || h->pages.first))
		return err_set(e, ERR_INPUT,
			       "%s: %s: expected a key 'page.contiguous', too",
			       path,
			       h->pages.first ? "l1.index = physical"
					      : "page.scattered");
	if (h->pages.contiguous && h->pages.contiguous < t->page_bytes)
		return err_set(e, ERR_INPUT,
			       "%s: page.contiguous: expected at least "
			       "page.size, and that at most 2M",
			       path);
	if ((h->branch_history || h->branch_loop) && !h->branch_penalty)
		return others_missing(path, "branch.penalty", e);
	if (h->branch_penalty && !h->branch_history)
		h->branch_history = USUAL_HISTORY;
	return ERR_OK;
}
