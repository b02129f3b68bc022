/* Waiting of each block, from samples of it and exact counts.
 *
 * Samples give the share of the latencies that is not hidden, for each depth.
 * The number of lines of each depth and the cycles of translation are exact.
 * So which accesses happen to be in samples affects the shares, the waiting of
 * a line beyond its latency, and how translation is divided among depths. */
#include <math.h>

#include "host/estimate/memory_inner.h"

/* Of a block, in the whole run. */
struct exact {
	double n[CACHE_MAX_LEVELS + 1]; /* lines of each depth */
	double translate;               /* cycles */
};

/* Of samples.  The delays are at most the latencies. */
struct share {
	double delays, latencies;
};

static double share_of(const struct share *s)
{
	return s->latencies > 0 ? s->delays / s->latencies : 0;
}

static void count_lines(const struct cache_hierarchy *h,
			const struct profile_access *x, uint32_t first,
			struct exact *ret)
{
	double n = (double)x->lines;

	for (unsigned l = 0; l < h->n_levels; l++) {
		double missed = (double)x->misses[first + l];

		ret->n[l] += fmax(n - missed, 0);
		n = missed;
	}
	ret->n[h->n_levels] += n;
}

static double translation(const struct cache_tlb *t,
			  const struct profile_access *x, uint32_t first)
{
	double sum = 0;

	for (unsigned l = 0; l < t->n_levels; l++)
		sum += (double)x->misses[first + l] *
		       ((double)tlb_cycles(t, l + 1) - tlb_cycles(t, l));
	return sum;
}

static struct exact exact_of(const struct profile *p,
			     const struct estimate_hierarchy *h, uint32_t block)
{
	const struct profile_block *b = &p->blocks[block];
	struct exact ret = { .translate = 0 };

	for (uint32_t i = 0; i < b->n_accesses; i++) {
		count_lines(h->caches, &b->accesses[i],
			    p->first_level[h->simulated], &ret);
		if (h->tlb != ESTIMATE_NONE)
			ret.translate +=
				translation(&h->caches->tlb, &b->accesses[i],
					    p->first_level[h->tlb]);
	}
	return ret;
}

static double exact_latencies(const struct cache_hierarchy *h,
			      const struct exact *x)
{
	double sum = x->translate;

	for (unsigned d = 1; d <= h->n_levels; d++)
		sum += x->n[d] * extra_of(h, d);
	return sum;
}

static double latencies_of(const struct depth_sums *s, double extra)
{
	return s->n * extra + s->translate;
}

/* Delays that are a part of latencies.  What is subtracted for hits may be more
 * than what was added: then there are none. */
static double within(const struct depth_sums *s, double latencies)
{
	return fmax(0, fmin(s->delays, latencies));
}

static struct share share_of_block(const struct cache_hierarchy *h,
				   const struct block_sums *s)
{
	struct share ret = { 0, 0 };

	for (unsigned d = 0; d <= h->n_levels; d++) {
		double latencies = latencies_of(&s->at[d], extra_of(h, d));

		ret.delays += within(&s->at[d], latencies);
		ret.latencies += latencies;
	}
	return ret;
}

/* Cycles of translation, if all lines of a depth had the mean of its
 * samples. */
static double sampled_translation(const struct cache_hierarchy *h,
				  const struct block_sums *s,
				  const struct exact *x)
{
	double sum = 0;

	for (unsigned d = 0; d <= h->n_levels; d++)
		if (s->at[d].n > 0)
			sum += s->at[d].translate / s->at[d].n * x->n[d];
	return sum;
}

/* Waiting of the n lines of one depth.  A part of their latencies grows with
 * the latencies, the rest with the lines. */
static double depth_cycles(const struct depth_sums *s, double extra, double n,
			   double translate)
{
	double latencies = latencies_of(s, extra);
	double part = within(s, latencies);
	double cycles = (s->delays - part) / s->n * n;

	return latencies > 0
		       ? cycles + part / latencies * (n * extra + translate)
		       : cycles;
}

static double block_cycles(const struct cache_hierarchy *h,
			   const struct block_sums *s, const struct exact *x,
			   const struct share *all)
{
	struct share own = share_of_block(h, s);
	double sampled = sampled_translation(h, s, x);
	double cycles = 0, rest = sampled > 0 ? 0 : x->translate;

	for (unsigned d = 0; d <= h->n_levels; d++) {
		const struct depth_sums *at = &s->at[d];
		double translate = sampled > 0 && at->n > 0
					   ? at->translate / at->n * x->n[d] /
						     sampled * x->translate
					   : 0;

		if (at->n > 0)
			cycles += depth_cycles(at, extra_of(h, d), x->n[d],
					       translate);
		else
			rest += x->n[d] * extra_of(h, d);
	}
	return fmax(cycles + share_of(own.latencies > 0 ? &own : all) * rest,
		    0);
}

double memory_set_blocks(struct program_estimate *x, size_t h,
			 const struct block_sums *sums)
{
	const struct profile *p = x->in->p;
	struct estimate_hierarchy *to = &x->hierarchies[h];
	struct share all = { 0, 0 };
	double latencies = 0;

	for (size_t i = 0; i < p->n_blocks; i++) {
		struct share s = share_of_block(to->caches, &sums[i]);

		all.delays += s.delays;
		all.latencies += s.latencies;
	}
	for (size_t i = 0; i < x->n_blocks; i++) {
		struct estimate_block *b = &x->blocks[i];
		struct exact exact = exact_of(p, to, b->block);

		b->memory[h] =
			block_cycles(to->caches, &sums[b->block], &exact, &all);
		to->memory_cycles += b->memory[h];
		to->branch_cycles += b->branches[h];
		latencies += exact_latencies(to->caches, &exact);
	}
	to->cycles = x->core_cycles + to->memory_cycles + to->branch_cycles;
	if (to->cycles > 0)
		to->ipc = (double)p->instructions / to->cycles;
	return latencies;
}
