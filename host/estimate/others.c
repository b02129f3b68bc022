/* The part of the last level that other programs leave.
 *
 * A line stays in an LRU cache until as many other bytes were brought in as the
 * cache has.  A program that asks it for r bytes per cycle, while others bring
 * in x, has r / (r + x) of it: the frequency-of-access model of Chandra and
 * others, "Predicting inter-thread cache contention on a chip multi-processor
 * architecture" (HPCA 2005).  r depends on the part: of the parts that were
 * simulated the one counts that agrees best with its own r. */
#include <math.h>

#include "host/cache/caches.h"
#include "host/estimate/inner.h"

/* Bytes per cycle that the program asks the last level for. */
static double asked(const struct estimate_hierarchy *h)
{
	size_t last = h->caches->n_levels - 1;

	return h->cycles > 0
		       ? (double)h->levels[last].counts.accesses *
				 h->caches->levels[last].line_bytes / h->cycles
		       : 0;
}

/* How far the part is from r / (r + x) of the level, by the logarithm. */
static double distance(const struct estimate_hierarchy *h)
{
	const struct cache_hierarchy *c = h->caches;
	double rate = asked(h);
	double part = rate / (rate + c->others_bytes);
	double bytes = (double)c->levels[c->n_levels - 1].bytes;

	return rate > 0 ? fabs(log(bytes / (double)c->shared_bytes / part))
			: HUGE_VAL;
}

/* The parts of one level, from `h` on; 1: it is not shared, or its parts have
 * no times. */
static size_t n_parts(const struct program_estimate *x, size_t h)
{
	return x->hierarchies[h].caches->shared_bytes > 0 &&
			       h + CACHES_PARTS <= x->n_traced
		       ? CACHES_PARTS
		       : 1;
}

static size_t closest(const struct program_estimate *x, size_t h, size_t n)
{
	size_t best = h;

	for (size_t i = h + 1; i < h + n; i++)
		if (distance(&x->hierarchies[i]) <
		    distance(&x->hierarchies[best]))
			best = i;
	return best;
}

void others_choose(struct program_estimate *x)
{
	size_t n = 0, n_traced = 0;

	for (size_t h = 0, step; h < x->n_hierarchies; h += step, n++) {
		size_t from;

		step = n_parts(x, h);
		from = closest(x, h, step);
		x->hierarchies[n] = x->hierarchies[from];
		if (from >= x->n_traced)
			continue;
		n_traced++;
		for (size_t b = 0; b < x->n_blocks; b++) {
			x->blocks[b].memory[n] = x->blocks[b].memory[from];
			x->blocks[b].branches[n] = x->blocks[b].branches[from];
		}
	}
	x->n_hierarchies = n;
	x->n_traced = n_traced;
}
