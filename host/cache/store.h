/* One cache: the tags of its sets, and what classes of misses need. */
#ifndef CACHE_STORE_H
#define CACHE_STORE_H

#include <stdatomic.h>

#include "host/cache/full.h"
#include "host/cache/hierarchy.h"
#include "host/cache/seen.h"

/* Tags are line number * 2 + modified, the last used way of a set first. */
struct cache_store {
	uint64_t *tags;
	uint32_t *nodes; /* of each tag, in `full`; NULL: no classes */
	uint64_t sets;
	uint64_t mask; /* sets - 1 if that is a power of two, else 0 */
	uint32_t ways;
	struct full full;
	bool full_hit; /* of the last miss, if classes */
	struct seen seen;
	atomic_flag lock; /* of a shared cache */
};

/* No line number has its high bits set, as lines have 16 bytes or more. */
#define STORE_EMPTY UINT64_MAX
#define STORE_HIT   (UINT64_MAX - 2)

/* An empty cache; NULL if memory is short. */
struct cache_store *store_new(const struct cache_level *l, bool classes);
void store_free(struct cache_store *c);

/* Look up a line, and make it the last used of its set.  Returns STORE_HIT, or
 * on a miss the tag that left; STORE_EMPTY: none. */
uint64_t store_access(struct cache_store *c, uint64_t line, bool write);

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

#endif
