/* One cache: the tags of its sets, and what classes of misses need. */
#ifndef CACHE_STORE_H
#define CACHE_STORE_H

#include <stdatomic.h>

#include "host/cache/full.h"
#include "host/cache/hierarchy.h"
#include "host/cache/seen.h"

/* Tags are line number * 2 + modified, the last used way of a set first. */
struct cache_store {
	void *memory; /* the allocation that contains the tags */
	uint64_t *tags;
	uint32_t *nodes; /* of each tag, in `full`; NULL: no classes */
	uint64_t sets;
	uint64_t mask; /* sets - 1 if that is a power of two, else 0 */
	uint32_t ways;
	struct full full;
	bool full_hit; /* of the last miss, if classes */
	struct seen seen;
	uint32_t keep;      /* of the level */
	struct seen loaded; /* lines that loads asked for, with `keep` */
	uint64_t random;    /* for `keep`; the same in each run */
	atomic_flag lock;   /* of a shared cache */
};

/* No line number has its high bits set, as lines have 16 bytes or more. */
#define STORE_EMPTY UINT64_MAX
#define STORE_HIT   (UINT64_MAX - 2)

/* An empty cache; NULL if memory is short. */
struct cache_store *store_new(const struct cache_level *l, bool classes);
void store_free(struct cache_store *c);

/* store_access() for a level that may have `keep`.  If the line is not there
 * and is not kept, neither this cache nor the fully associative one changes:
 * returns STORE_EMPTY, and full_hit is false.  for_store: a store asks for the
 * line. *ret_short as of seen_add(). */
uint64_t store_ask(struct cache_store *c, uint64_t line, bool write,
		   bool for_store, bool *ret_short);

/* Mark a line as modified, without using it; false if it is not there. */
bool store_modify(struct cache_store *c, uint64_t line);

static inline uint64_t store_set(const struct cache_store *c, uint64_t line)
{
	if (c->mask || c->sets == 1)
		return line & c->mask;
	return line % c->sets;
}

/* Access a line if it is the last used of its set; false: it is not. */
static inline bool store_again(struct cache_store *c, uint64_t line, bool write)
{
	size_t first = store_set(c, line) * c->ways;

	if (c->tags[first] >> 1 != line)
		return false;
	c->tags[first] |= write;
	if (c->nodes)
		c->nodes[first] = full_again(&c->full, c->nodes[first], line);
	return true;
}

/* Move each tag of a set to the next way, up to the way of the line, or all
 * tags if the line is not in the set.  tags[0] is not the line's; the caller
 * replaces it.  Returns the tag that lost its place: the line's, or the last of
 * the set.  *ret_way is the way of the line, or `ways`. */
static inline uint64_t store_shift(uint64_t *tags, uint32_t ways, uint64_t line,
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

/* Move the nodes in the same way, up to the way that store_shift() found.
 * Returns the node that lost its place. */
static inline uint32_t store_shift_nodes(uint32_t *nodes, uint32_t ways,
					 uint32_t way)
{
	uint32_t last = way < ways ? way : ways - 1;
	uint32_t node = nodes[last];

	for (uint32_t i = last; i > 0; i--)
		nodes[i] = nodes[i - 1];
	return node;
}

/* Look up a line that is not the last used one of its set, and make it the last
 * used one.  Returns STORE_HIT, or on a miss the tag that was evicted
 * (STORE_EMPTY: none). */
static inline uint64_t store_search(struct cache_store *c, uint64_t line,
				    bool write)
{
	uint64_t set = store_set(c, line);
	uint64_t *tags = &c->tags[set * c->ways];
	uint32_t way;
	uint64_t moved;
	bool hit;

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

/* The same for any line. */
static inline uint64_t store_access(struct cache_store *c, uint64_t line,
				    bool write)
{
	return store_again(c, line, write) ? STORE_HIT
					   : store_search(c, line, write);
}

#endif
