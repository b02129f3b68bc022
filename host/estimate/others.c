/* The part of the last level that other programs leave.
 *
 * A line stays in an LRU cache until as many other bytes were brought in as the
 * cache has.  A program that asks it for r bytes per cycle, while others bring in
 * x, has r / (r + x) of it: the frequency-of-access model of Chandra and others,
 * "Predicting inter-thread cache contention on a chip multi-processor architecture"
 * (HPCA 2005).  r depends on the part: of the parts that were simulated the one
 * counts that agrees best with its own r. */
#include <math.h>
#include <string.h>

#include "host/cache/caches.h"
#include "host/estimate/inner.h"

/* Bytes per cycle that the program asks the last level for. */
static double asked(const struct program_estimate *x, size_t h)
{
	const struct cache_hierarchy *c = &x->in->hierarchies[h];
	size_t last = c->n_levels - 1;
	const struct cache_counts *n =
		&x->in->counts[h * CACHE_MAX_LEVELS + last];

	return x->hierarchies[h].cycles > 0
		       ? (double)n->accesses * c->levels[last].line_bytes /
				 x->hierarchies[h].cycles
		       : 0;
}

/* How far the part is from r / (r + x) of the level, by the logarithm. */
static double distance(const struct program_estimate *x, size_t h)
{
	const struct cache_hierarchy *c = &x->in->hierarchies[h];
	double rate = asked(x, h);
	double part = rate / (rate + c->others_bytes);
	double bytes = (double)c->levels[c->n_levels - 1].bytes;

	return rate > 0 ? fabs(log(bytes / (double)c->shared_bytes / part))
			: HUGE_VAL;
}

/* The parts of one level, from `h` on; 1: it is not shared, or its parts have no
 * times. */
static size_t n_parts(const struct program_estimate *x, size_t h)
{
	return x->in->hierarchies[h].shared_bytes > 0 &&
			       h + CACHES_PARTS <= x->n_traced
		       ? CACHES_PARTS
		       : 1;
}

static size_t closest(const struct program_estimate *x, size_t h, size_t n)
{
	size_t best = h;

	for (size_t i = h + 1; i < h + n; i++)
		if (distance(x, i) < distance(x, best))
			best = i;
	return best;
}

/* Keep the n hierarchies of `list`, which is sorted. */
static void keep(struct arena *a, struct program_estimate *x,
		 const size_t *list, size_t n)
{
	const struct estimate_input *from = x->in;
	struct estimate_input *in = arena_copy(a, from, sizeof(*from));
	struct cache_hierarchy *h = ARENA_ARRAY(a, struct cache_hierarchy, n);
	struct cache_counts *counts =
		ARENA_ARRAY(a, struct cache_counts, n * CACHE_MAX_LEVELS);
	uint32_t *simulated = ARENA_ARRAY(a, uint32_t, n);
	uint32_t *tlb_of = ARENA_ARRAY(a, uint32_t, n);
	size_t n_traced = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = list[i];

		h[i] = from->hierarchies[k];
		memcpy(&counts[i * CACHE_MAX_LEVELS],
		       &from->counts[k * CACHE_MAX_LEVELS],
		       CACHE_MAX_LEVELS * sizeof(*counts));
		simulated[i] = (uint32_t)estimate_simulated(from, k);
		tlb_of[i] = from->tlb_of ? from->tlb_of[k] : ESTIMATE_NONE;
		x->hierarchies[i] = x->hierarchies[k];
		n_traced += k < x->n_traced;
		for (size_t b = 0; b < x->n_blocks && k < x->n_traced; b++) {
			x->blocks[b].memory[i] = x->blocks[b].memory[k];
			x->blocks[b].branches[i] = x->blocks[b].branches[k];
		}
	}
	in->n_hierarchies = n;
	in->hierarchies = h;
	in->counts = counts;
	in->simulated = simulated;
	in->tlb_of = tlb_of;
	x->in = in;
	x->n_traced = n_traced;
}

void others_choose(struct arena *a, struct program_estimate *x)
{
	size_t *list = ARENA_ARRAY(a, size_t, x->in->n_hierarchies + 1);
	size_t n = 0;

	for (size_t h = 0, step; h < x->in->n_hierarchies; h += step) {
		step = n_parts(x, h);
		list[n++] = closest(x, h, step);
	}
	if (n < x->in->n_hierarchies)
		keep(a, x, list, n);
}
