/* One cache; see store.h. */
#include "host/cache/store.h"

#include <stdlib.h>

enum { LINE = 64 }; /* of the host */

struct cache_store *store_new(const struct cache_level *l, bool classes)
{
	struct cache_store *c = calloc(1, sizeof(*c));
	uint64_t n = l->bytes / l->line_bytes;

	if (!c)
		return NULL;
	c->sets = cache_level_sets(l);
	c->mask = (c->sets & (c->sets - 1)) == 0 ? c->sets - 1 : 0;
	c->ways = l->ways;
	c->keep = l->keep;
	c->random = UINT64_C(0x9e3779b97f4a7c15);
	atomic_flag_clear(&c->lock);
	c->memory = malloc(n * sizeof(*c->tags) + LINE);
	if (!c->memory)
		goto fail;
	/* A set of 8 ways is a line. */
	c->tags = (uint64_t *)(void *)((char *)c->memory + LINE -
				       (uintptr_t)c->memory % LINE);
	for (uint64_t i = 0; i < n; i++)
		c->tags[i] = STORE_EMPTY;
	if (classes) {
		c->nodes = calloc(n, sizeof(*c->nodes));
		if (!c->nodes || !full_open(&c->full, n))
			goto fail;
	}
	return c;
fail:
	store_free(c);
	return NULL;
}

void store_free(struct cache_store *c)
{
	if (!c)
		return;
	free(c->memory);
	free(c->nodes);
	full_close(&c->full);
	seen_close(&c->seen);
	seen_close(&c->loaded);
	free(c);
}

static bool store_has(const struct cache_store *c, uint64_t line)
{
	const uint64_t *tags = &c->tags[store_set(c, line) * c->ways];

	for (uint32_t i = 0; i < c->ways; i++)
		if (tags[i] >> 1 == line)
			return true;
	return false;
}

/* xorshift64 of Marsaglia, "Xorshift RNGs", 2003. */
static bool store_draws(struct cache_store *c)
{
	c->random ^= c->random << 13;
	c->random ^= c->random >> 7;
	c->random ^= c->random << 17;
	return (c->random >> 32) % 100 < c->keep;
}

static bool store_keeps(struct cache_store *c, uint64_t line, bool for_store,
			bool *ret_short)
{
	return !for_store && !seen_add(&c->loaded, line, ret_short) &&
	       store_draws(c);
}

uint64_t store_ask(struct cache_store *c, uint64_t line, bool write,
		   bool for_store, bool *ret_short)
{
	if (c->keep == 0 || store_has(c, line) ||
	    store_keeps(c, line, for_store, ret_short))
		return store_access(c, line, write);
	c->full_hit = false;
	return STORE_EMPTY;
}

bool store_modify(struct cache_store *c, uint64_t line)
{
	uint64_t *tags = &c->tags[store_set(c, line) * c->ways];

	for (uint32_t i = 0; i < c->ways; i++)
		if (tags[i] >> 1 == line) {
			tags[i] |= 1;
			return true;
		}
	return false;
}
