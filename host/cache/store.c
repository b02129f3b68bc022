/* One cache; see store.h. */
#include "host/cache/store.h"

#include <stdlib.h>

struct cache_store *store_new(const struct cache_level *l, bool classes)
{
	struct cache_store *c = calloc(1, sizeof(*c));
	uint64_t n = l->bytes / l->line_bytes;

	if (!c)
		return NULL;
	c->sets = cache_level_sets(l);
	c->mask = (c->sets & (c->sets - 1)) == 0 ? c->sets - 1 : 0;
	c->ways = l->ways;
	atomic_flag_clear(&c->lock);
	c->tags = malloc(n * sizeof(*c->tags));
	for (uint64_t i = 0; c->tags && i < n; i++)
		c->tags[i] = STORE_EMPTY;
	if (!c->tags)
		goto fail;
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
	free(c->tags);
	free(c->nodes);
	full_close(&c->full);
	seen_close(&c->seen);
	free(c);
}

/* Move the tags of a set back by one until one of the line is found; the last
 * one moved leaves its place, or the cache. */
static uint64_t store_shift(uint64_t *tags, uint32_t ways, uint64_t line,
			    uint32_t *ret_way)
{
	uint64_t moved = tags[0];
	uint32_t i = 1;

	for (; i < ways; i++) {
		uint64_t here = tags[i];

		tags[i] = moved;
		moved = here;
		if (here >> 1 == line)
			break;
	}
	*ret_way = i;
	return moved;
}

/* The same for the nodes, up to the way that store_shift() found; returns the
 * node of that way. */
static uint32_t store_shift_nodes(uint32_t *nodes, uint32_t ways, uint32_t way)
{
	uint32_t last = way < ways ? way : ways - 1;
	uint32_t node = nodes[last];

	for (uint32_t i = last; i > 0; i--)
		nodes[i] = nodes[i - 1];
	return node;
}

uint64_t store_access(struct cache_store *c, uint64_t line, bool write)
{
	uint64_t set = store_set(c, line);
	uint64_t *tags = &c->tags[set * c->ways];
	uint32_t way;
	uint64_t moved;
	bool hit;

	if (store_again(c, line, write))
		return STORE_HIT;
	moved = store_shift(tags, c->ways, line, &way);
	hit = way < c->ways;
	tags[0] = (hit ? moved : line << 1) | write;
	if (c->nodes) {
		uint32_t *nodes = &c->nodes[set * c->ways];
		uint32_t node = store_shift_nodes(nodes, c->ways, way);

		nodes[0] = hit ? full_again(&c->full, node, line)
			       : full_access(&c->full, line, &c->full_hit);
	}
	return hit ? STORE_HIT : moved;
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
