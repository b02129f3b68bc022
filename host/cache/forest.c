/* The forest of levels; see forest.h. */
#include "host/cache/forest.h"

static bool level_equal(const struct cache_level *a,
			const struct cache_level *b)
{
	return a->bytes == b->bytes && a->line_bytes == b->line_bytes &&
	       a->ways == b->ways && a->shared == b->shared &&
	       a->keep == b->keep;
}

/* First node of the list that `parent`, or the forest, begins. */
static uint32_t *node_list(struct cache_sim *s, uint32_t parent)
{
	return parent == NODE_NONE ? &s->first_root : &s->nodes[parent].child;
}

static uint32_t line_shift(const struct cache_sim *s, uint32_t bytes)
{
	uint32_t shift = 0;

	while (s->line_bytes << shift < bytes)
		shift++;
	return shift;
}

/* A node of this level, outside the forest. */
static struct cache_node node_of_level(const struct cache_sim *s,
				       const struct cache_hierarchy *h,
				       size_t level)
{
	const struct cache_pages *p = &h->pages;
	bool physical = p->contiguous > 0 && (level > 0 || p->first);

	return (struct cache_node){
		.level = h->levels[level],
		.shift = line_shift(s, h->levels[level].line_bytes),
		.child = NODE_NONE,
		.sibling = NODE_NONE,
		.physical = physical,
		.piece = physical ? line_shift(s, p->contiguous) : 0,
		.scattered = physical && p->scattered ? p->scattered : 100,
	};
}

static bool node_equal(const struct cache_node *x, const struct cache_node *y)
{
	return level_equal(&x->level, &y->level) &&
	       x->physical == y->physical && x->piece == y->piece &&
	       x->scattered == y->scattered;
}

/* Append a node, so that nodes are visited in the order of hierarchies. */
static uint32_t node_add(struct cache_sim *s, uint32_t parent,
			 const struct cache_node *new)
{
	const struct cache_level *l = &new->level;
	uint32_t *at = node_list(s, parent);
	struct cache_node *x = &s->nodes[s->n_nodes];

	while (*at != NODE_NONE)
		at = &s->nodes[*at].sibling;
	*at = (uint32_t)s->n_nodes++;
	*x = *new;
	x->own_seen = parent == NODE_NONE ||
		      l->shared != s->nodes[parent].level.shared ||
		      l->line_bytes != s->nodes[parent].level.line_bytes;
	return *at;
}

static uint32_t node_find(struct cache_sim *s, uint32_t parent,
			  const struct cache_node *new)
{
	uint32_t i = *node_list(s, parent);

	while (i != NODE_NONE && !node_equal(&s->nodes[i], new))
		i = s->nodes[i].sibling;
	return i != NODE_NONE ? i : node_add(s, parent, new);
}

void forest_add(struct cache_sim *s, size_t h, const struct cache_hierarchy *x)
{
	uint32_t node = NODE_NONE;

	for (size_t i = 0; i < x->n_levels; i++) {
		struct cache_node new = node_of_level(s, x, i);

		node = node_find(s, node, &new);
		s->node_of[h][i] = node;
		if (h < CACHE_TRACE_HIERARCHIES)
			s->nodes[node].record_step += UINT64_C(1) << (4 * h);
	}
}
