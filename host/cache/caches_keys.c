/* The keys of files of caches; see caches_keys.h. */
#include "host/cache/caches_keys.h"

#include <stddef.h>
#include <string.h>

enum {
	MAX_FRACTION = 6, /* digits behind the point of a rate */
	MAX_CYCLES = 100 * 1000
};

/* Members of struct cache_hierarchy. */
#define SIZE(m) sizeof(((struct cache_hierarchy *)0)->m)
#define ONE(m)  .at = offsetof(struct cache_hierarchy, m), .size = SIZE(m)
#define EACH(list, m)                          \
	ONE(list[0].m), .step = SIZE(list[0]), \
			.n_levels = (unsigned)(SIZE(list) / SIZE(list[0]))
#define LEVEL(m)            EACH(levels, m), .lists = true
#define TLB(m)              EACH(tlb.levels, m)

#define TYPE(t, text)       .type = CACHES_##t, .expected = (text)
#define BOUNDS(least, most) .min = (least), .max = (most)
#define NUMBER(unit, most)  TYPE(NUMBER, unit), BOUNDS(1, most)
#define CYCLES              NUMBER("cycles", MAX_CYCLES)
#define WAYS                TYPE(WAYS, "a number"), BOUNDS(1, CACHE_MAX_WAYS)
#define WORD(text, a, b)    TYPE(WORD, text), .no = (a), .yes = (b)

static const struct caches_key keys[] = {
	{ .name = "describe", .type = CACHES_TEXT },
	{ "l#.size", LEVEL(bytes),
	  TYPE(BYTES, "a size like 48K or 2M, at most 4G"),
	  BOUNDS(16, UINT64_C(1) << 32) },
	{ "l#.line", LEVEL(line_bytes), TYPE(POWER, "a power of two"),
	  BOUNDS(CACHE_MIN_LINE, CACHE_MAX_LINE) },
	{ "l#.ways", LEVEL(ways), WAYS },
	{ "l#.latency", LEVEL(latency), CYCLES },
	{ "l#.mshr", LEVEL(mshr), NUMBER("a number", 4096) },
	/* The core's model has the bandwidth of the first level, which keeps
	 * everything. */
	{ "l#.bandwidth", LEVEL(bandwidth), NUMBER("bytes per cycle", 4096),
	  .not_first = true },
	{ "l#.keep", LEVEL(keep), NUMBER("percent", 100), .not_first = true },
	{ "l#.sharing", LEVEL(shared),
	  WORD("private or shared", "private", "shared") },
	/* There is one replacement, so nothing is set. */
	{ "l#.replacement", .n_levels = CACHE_MAX_LEVELS, .lists = true,
	  WORD("lru", "lru", NULL) },
	{ "l1.fill", ONE(fill_cycles), TYPE(RATE, "cycles, e.g. 0.5") },
	{ "l1.write", ONE(write_cycles), TYPE(RATE, "cycles, e.g. 0.5") },
	{ "l1.index", ONE(pages.first),
	  WORD("physical or virtual", "virtual", "physical") },
	{ "prefetch", ONE(prefetches),
	  WORD("streams or none", "none", "streams") },
	{ "memory.latency", ONE(memory_latency), CYCLES },
	{ "memory.bandwidth", ONE(memory_bytes),
	  TYPE(RATE, "bytes per cycle, e.g. 10.5") },
	{ "others.bandwidth", ONE(others_bytes),
	  TYPE(RATE, "bytes per cycle, e.g. 2.5") },
	{ "tlb#.entries", TLB(entries), NUMBER("a number", 1 << 20) },
	{ "tlb#.ways", TLB(ways), WAYS },
	{ "tlb#.latency", TLB(latency), CYCLES, .not_first = true },
	{ "tlb1.fill", ONE(tlb.fill_cycles), TYPE(RATE, "cycles, e.g. 0.5") },
	{ "page.size", ONE(tlb.page_bytes),
	  TYPE(PAGE, "a power of two from 4K to 1G"),
	  BOUNDS(CACHE_MIN_PAGE, CACHE_MAX_PAGE) },
	{ "page.contiguous", ONE(pages.contiguous),
	  TYPE(PAGE, "bytes, a power of two from 4K to 2M"),
	  BOUNDS(CACHE_MIN_PAGE, CACHE_MAX_CONTIGUOUS) },
	{ "page.scattered", ONE(pages.scattered),
	  NUMBER("percent, a number", 100) },
	{ "page.walk", ONE(tlb.walk), CYCLES },
	{ "page.walkers", ONE(tlb.walkers), NUMBER("a number", 64) },
	{ "page.interval", ONE(tlb.interval), CYCLES },
	{ "branch.penalty", ONE(branch_penalty), NUMBER("cycles", 1000) },
	/* Predictors that are published remember up to some 1,000. */
	{ "branch.history", ONE(core.history), NUMBER("a number", 1024) },
	{ "branch.patterns", ONE(core.patterns),
	  NUMBER("a number", CACHE_MAX_PATTERNS) },
	{ "branch.loop", ONE(core.loop), NUMBER("iterations", 1000000) },
	{ "window", ONE(core.window), NUMBER("a number", CACHE_MAX_QUEUE) },
	{ "queue.loads", ONE(core.loads), NUMBER("a number", CACHE_MAX_QUEUE) },
	{ "queue.stores", ONE(core.stores),
	  NUMBER("a number", CACHE_MAX_QUEUE) },
	{ "queue.vectors", ONE(core.vectors),
	  NUMBER("a number", CACHE_MAX_QUEUE) },
	{ "queue.loads.least", ONE(core.loads_least),
	  NUMBER("a number", CACHE_MAX_QUEUE) },
	{ "queue.stores.least", ONE(core.stores_least),
	  NUMBER("a number", CACHE_MAX_QUEUE) },
};

static bool is_named(const struct caches_key *k, const char *name,
		     unsigned *ret_level)
{
	const char *at = k->name;

	*ret_level = 0;
	for (; *at != '\0' && *name != '\0'; at++, name++) {
		unsigned number = (unsigned)(*name - '0');

		if (*at == '#' && number > k->not_first &&
		    number <= k->n_levels)
			*ret_level = number - 1;
		else if (*at != *name)
			return false;
	}
	return *at == *name;
}

const struct caches_key *caches_key_find(const char *name, unsigned *ret_level)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (is_named(&keys[i], name, ret_level))
			return &keys[i];
	return NULL;
}

/* Digits for a number from `min` to `max`; if `units`, K, M or G may follow. */
static bool read_number(const char *s, bool units, uint64_t min, uint64_t max,
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
	double unit = 1;
	const char *point = strchr(s, '.');
	uint64_t whole, fraction = 0;
	char digits[16];
	size_t n = point ? (size_t)(point - s) : strlen(s);

	if (n == 0 || n >= sizeof(digits))
		return false;
	memcpy(digits, s, n);
	digits[n] = '\0';
	if (!read_number(digits, false, 0, MAX_CYCLES, &whole))
		return false;
	if (point) {
		if (strlen(point + 1) > MAX_FRACTION ||
		    !read_number(point + 1, false, 0, 1000 * 1000, &fraction))
			return false;
		for (const char *p = point + 1; *p; p++)
			unit *= 10;
	}
	*ret = (double)whole + (double)fraction / unit;
	return *ret > 0;
}

/* All values but rates. */
static bool read_whole(const struct caches_key *k, const char *s, uint64_t *ret)
{
	bool bytes = k->type == CACHES_BYTES || k->type == CACHES_PAGE;
	bool power = k->type == CACHES_POWER || k->type == CACHES_PAGE;

	if (k->type == CACHES_WORD) {
		*ret = k->yes && strcmp(s, k->yes) == 0;
		return *ret || strcmp(s, k->no) == 0;
	}
	if (k->type == CACHES_WAYS && strcmp(s, "full") == 0) {
		*ret = CACHES_FULL;
		return true;
	}
	return read_number(s, bytes, k->min, k->max, ret) &&
	       (!power || (*ret & (*ret - 1)) == 0);
}

bool caches_key_read(const struct caches_key *k, unsigned level,
		     const char *value, struct cache_hierarchy *h)
{
	void *to = (char *)h + k->at + level * k->step;
	uint64_t x;

	if (k->type == CACHES_TEXT)
		return true;
	if (k->type == CACHES_RATE)
		return read_rate(value, to);
	if (!read_whole(k, value, &x))
		return false;

	if (k->size == sizeof(uint64_t))
		*(uint64_t *)to = x;
	else if (k->size == sizeof(uint32_t))
		*(uint32_t *)to = (uint32_t)x;
	else if (k->size == sizeof(bool))
		*(bool *)to = x != 0;
	return true;
}

const char *caches_key_expected(struct arena *a, const struct caches_key *k)
{
	bool bounded = k->type == CACHES_NUMBER || k->type == CACHES_POWER ||
		       k->type == CACHES_WAYS;

	return bounded ? arena_printf(a, "%s from %llu to %llu%s", k->expected,
				      (unsigned long long)k->min,
				      (unsigned long long)k->max,
				      k->type == CACHES_WAYS ? ", or full" : "")
		       : k->expected;
}
