/* A fully associative LRU cache; see full.h. */
#include "host/cache/full.h"

#include <stdlib.h>

enum {
	GROUP_BITS = 4, /* lines whose buckets fill a line of this machine */
	GROUP_MASK = (1 << GROUP_BITS) - 1,
};

bool full_open(struct full *f, uint64_t n_lines)
{
	uint32_t bits = GROUP_BITS + 1;

	while (bits < 31 && (UINT64_C(1) << bits) < n_lines * 2)
		bits++;
	*f = (struct full){
		.room = (uint32_t)n_lines,
		.newest = FULL_NONE,
		.oldest = FULL_NONE,
		.shift = 64 - (bits - GROUP_BITS),
		.nodes = malloc(n_lines * sizeof(*f->nodes)),
		.buckets = malloc(sizeof(*f->buckets) << bits),
	};
	if (!f->nodes || !f->buckets)
		return false;
	for (size_t i = 0; i < (size_t)1 << bits; i++)
		f->buckets[i] = FULL_NONE;
	return true;
}

void full_close(struct full *f)
{
	free(f->nodes);
	free(f->buckets);
}

/* Fibonacci hashing of groups of lines: the high bits of a product with 2^64 /
 * golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4).
 * The buckets of a group are neighbours, as one follows the other in streams;
 * their order differs from group to group, so that no stride fills only
 * some. */
static uint32_t *full_bucket(const struct full *f, uint64_t line)
{
	uint64_t h = (line >> GROUP_BITS) * UINT64_C(0x9E3779B97F4A7C15);
	uint64_t group = (h >> f->shift) << GROUP_BITS;
	uint64_t within = (line ^ h >> (f->shift - GROUP_BITS)) & GROUP_MASK;

	return &f->buckets[group | within];
}

static void full_unlink(struct full *f, uint32_t node)
{
	const struct full_node *x = &f->nodes[node];

	if (x->newer == FULL_NONE)
		f->newest = x->older;
	else
		f->nodes[x->newer].older = x->older;
	if (x->older == FULL_NONE)
		f->oldest = x->newer;
	else
		f->nodes[x->older].newer = x->newer;
}

static void full_link(struct full *f, uint32_t node)
{
	struct full_node *x = &f->nodes[node];

	x->newer = FULL_NONE;
	x->older = f->newest;
	if (f->newest == FULL_NONE)
		f->oldest = node;
	else
		f->nodes[f->newest].newer = node;
	f->newest = node;
}

void full_to_front(struct full *f, uint32_t node)
{
	if (f->newest == node)
		return;
	full_unlink(f, node);
	full_link(f, node);
}

static uint32_t full_evict(struct full *f)
{
	uint32_t node = f->oldest;
	uint32_t *at = full_bucket(f, f->nodes[node].line);

	while (*at != node)
		at = &f->nodes[*at].chain;
	*at = f->nodes[node].chain;
	full_unlink(f, node);
	return node;
}

uint32_t full_access(struct full *f, uint64_t line, bool *ret_hit)
{
	uint32_t node = *full_bucket(f, line);
	uint32_t *bucket;

	while (node != FULL_NONE && f->nodes[node].line != line)
		node = f->nodes[node].chain;
	*ret_hit = node != FULL_NONE;
	if (*ret_hit) {
		full_to_front(f, node);
		return node;
	}
	node = f->n < f->room ? f->n++ : full_evict(f);
	bucket = full_bucket(f, line);
	f->nodes[node].line = line;
	f->nodes[node].chain = *bucket;
	*bucket = node;
	full_link(f, node);
	return node;
}
