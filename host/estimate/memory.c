/* Waiting for memory: samples go through the model of misses in flight. */
#include <math.h>
#include <string.h>

#include "host/estimate/memory_inner.h"

/* Sums over the samples of a hierarchy. */
struct block_sums {
	double delays, latencies;
};

/* ---- one window ----------------------------------------------------------- */

static void add_delays(const struct window *w, const uint64_t *delays,
		       double sign, struct block_sums *sums, double *ret_all)
{
	for (size_t i = 0; i < w->n; i++) {
		*ret_all += sign * (double)delays[i];
		if (w->placed[i].known)
			sums[w->placed[i].block].delays +=
				sign * (double)delays[i];
	}
}

static unsigned level_of(const struct window *w, size_t i)
{
	return cache_record_level(&w->records[i],
				  estimate_simulated(w->t->in, w->h));
}

/* What a line of a level costs on the way up, in cycles, with its share of what
 * is written back. */
static double line_cycles(const struct window *w, unsigned level)
{
	const struct cache_hierarchy *h = w->hierarchy;
	const struct cache_counts *c =
		&w->t->in->counts[w->h * CACHE_MAX_LEVELS + level];
	bool memory = level + 1 == h->n_levels;
	double rate = memory ? h->memory_bytes : h->levels[level + 1].bandwidth;
	double back = c->misses ? (double)c->writebacks / (double)c->misses : 0;

	return rate > 0 ? h->levels[level].line_bytes * (1 + back) / rate : 0;
}

/* Where lines arrive more slowly than the program asks for them, the difference
 * is shared by those that wait for them. */
static void add_transfers(const struct window *w, double cycles,
			  struct block_sums *sums)
{
	unsigned slowest = 0;
	double most = 0, n_slowest = 0;

	for (unsigned k = 0; k < w->hierarchy->n_levels; k++) {
		double n = 0;

		for (size_t i = 0; i < w->n; i++)
			n += level_of(w, i) > k;
		if (n * line_cycles(w, k) > most) {
			most = n * line_cycles(w, k);
			n_slowest = n;
			slowest = k;
		}
	}
	if (most <= cycles)
		return;
	for (size_t i = 0; i < w->n; i++)
		if (w->placed[i].known && level_of(w, i) > slowest)
			sums[w->placed[i].block].delays +=
				(most - cycles) / n_slowest;
}

/* The first level serves no load, or no store, while it gets a line. */
static void add_fills(const struct window *w, struct block_sums *sums,
		      double *ret_all)
{
	for (size_t i = 0; i < w->n; i++) {
		double cycles = w->accesses[i].holds
					? w->hierarchy->fill_cycles
					: w->hierarchy->write_cycles;

		if (level_of(w, i) == 0)
			continue;
		*ret_all += cycles;
		if (w->placed[i].known)
			sums[w->placed[i].block].delays += cycles;
	}
}

static void add_latencies(const struct window *w, struct block_sums *sums)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->placed[i].known)
			sums[w->placed[i].block].latencies +=
				w->accesses[i].translate +
				(w->accesses[i].misses
					 ? w->accesses[i].latency -
						   w->hierarchy->levels[0]
							   .latency
					 : 0);
}

/* The demand of misses for entries: nothing is fetched in advance. */
static void window_entries(const struct window *w, struct mshr_result *free,
			   struct mshr_result *each)
{
	struct mshr_options o = {
		.window = w->window,
		.walkers = w->hierarchy->tlb.walkers,
		.interval = w->hierarchy->tlb.interval,
		.crowded = w->hierarchy->tlb.crowded,
		.queue = w->hierarchy->tlb.queue,
	};

	mshr_run(w->a, w->accesses, w->n, &o, free, NULL);
	for (size_t i = 0; i < w->t->in->n_mshr; i++) {
		o.entries = w->t->in->mshr[i];
		mshr_run(w->a, w->accesses, w->n, &o, &each[i], NULL);
	}
}

static void window_delays(const struct window *w, struct block_sums *sums)
{
	struct mshr_result r = { 0 };
	struct mshr_options o = {
		.window = w->window,
		.entries = w->hierarchy->levels[0].mshr,
		.walkers = w->hierarchy->tlb.walkers,
		.interval = w->hierarchy->tlb.interval,
		.crowded = w->hierarchy->tlb.crowded,
		.queue = w->hierarchy->tlb.queue,
	};
	uint64_t *delays = ARENA_ARRAY(w->a, uint64_t, w->n);
	struct mshr_access *hits = ARENA_ARRAY(w->a, struct mshr_access, w->n);
	double all = (double)w->accesses[w->n - 1].time;

	memcpy(hits, w->accesses, w->n * sizeof(*hits));
	for (size_t i = 0; i < w->n; i++)
		if (w->fetched[i] > 0) {
			hits[i].streams = true;
			hits[i].fetched = w->fetched[i] - 1;
			hits[i].hit = w->hierarchy->levels[0].latency;
		}
	mshr_run(w->a, hits, w->n, &o, &r, delays);
	add_delays(w, delays, 1, sums, &all);
	/* The core's cycles contain waiting for hits. */
	for (size_t i = 0; i < w->n; i++) {
		hits[i].misses = false;
		hits[i].latency = w->hierarchy->levels[0].latency;
		hits[i].translate = 0;
	}
	mshr_run(w->a, hits, w->n, &o, &r, delays);
	add_delays(w, delays, -1, sums, &all);
	add_fills(w, sums, &all);
	add_transfers(w, all, sums);
}

/* ---- a hierarchy ---------------------------------------------------------- */

/* Latencies beyond the first level's, of caches and TLBs, of all misses of a
 * block. */
static double exact_latencies(const struct memory_timing *t, size_t h,
			      uint32_t block)
{
	const struct profile *p = t->in->p;
	const struct profile_block *b = &p->blocks[block];
	const struct cache_hierarchy *x = &t->in->hierarchies[h];
	uint32_t first = p->first_level[estimate_simulated(t->in, h)];
	uint32_t tlb = t->in->tlb_of ? t->in->tlb_of[h] : ESTIMATE_NONE;
	double sum = 0;

	for (uint32_t i = 0; i < b->n_accesses; i++)
		for (unsigned l = 0; l < x->n_levels; l++)
			sum += (double)b->accesses[i].misses[first + l] *
			       (latency_of(x, l + 1) - latency_of(x, l));
	if (tlb == ESTIMATE_NONE)
		return sum;
	for (uint32_t i = 0; i < b->n_accesses; i++)
		for (unsigned l = 0; l < x->tlb.n_levels; l++)
			sum += (double)b->accesses[i]
				       .misses[p->first_level[tlb] + l] *
			       (tlb_cycles(&x->tlb, l + 1) -
				tlb_cycles(&x->tlb, l));
	return sum;
}

static void set_blocks(struct memory_timing *t, size_t h,
		       const struct block_sums *sums, double *ret_exact,
		       double *ret_sampled)
{
	struct estimate_hierarchy *x = &t->x->hierarchies[h];
	double delays = 0;

	*ret_exact = *ret_sampled = 0;
	for (size_t i = 0; i < t->in->p->n_blocks; i++) {
		delays += sums[i].delays;
		*ret_sampled += sums[i].latencies;
	}
	for (size_t i = 0; i < t->x->n_blocks; i++) {
		struct estimate_block *b = &t->x->blocks[i];
		const struct block_sums *s = &sums[b->block];
		double exact = exact_latencies(t, h, b->block);
		double cycles = 0;

		if (s->latencies > 0)
			cycles = s->delays / s->latencies * exact;
		else if (*ret_sampled > 0)
			cycles = delays / *ret_sampled * exact;
		cycles = fmax(cycles, 0);
		b->memory[h] = cycles;
		x->memory_cycles += cycles;
		x->branch_cycles += b->branches[h];
		*ret_exact += exact;
	}
	x->cycles = t->x->core_cycles + x->memory_cycles + x->branch_cycles;
	if (x->cycles > 0)
		x->ipc = (double)t->in->p->instructions / x->cycles;
}

static void set_entries(struct memory_timing *t, size_t h,
			const struct mshr_result *free,
			const struct mshr_result *each, double scale)
{
	static const double nearly_always = 0.99;
	struct estimate_hierarchy *x = &t->x->hierarchies[h];

	x->entries_needed = mshr_enough(free, nearly_always);
	if (free->cycles > 0)
		x->entries_mean = (double)free->busy / (double)free->cycles;
	for (size_t i = 0; i < t->in->n_mshr; i++)
		x->mshr[i] = (struct estimate_mshr){
			.entries = t->in->mshr[i],
			.stall_cycles =
				scale * (double)(each[i].cycles - free->cycles),
		};
}

static void time_sample(struct memory_timing *t, size_t h,
			const struct estimate_sample *s,
			struct memory_stream *streams, struct block_sums *sums,
			struct mshr_result *free, struct mshr_result *each)
{
	struct arena a = { 0 };
	struct window w = {
		.a = &a,
		.t = t,
		.h = h,
		.hierarchy = &t->in->hierarchies[h],
		.n = s->n,
		.records = s->records,
		.streams = streams,
	};

	window_fill(&w);
	window_delays(&w, sums);
	add_latencies(&w, sums);
	window_entries(&w, free, each);
	arena_free(&a);
}

static void time_hierarchy(struct memory_timing *t, size_t h, size_t n_accesses)
{
	struct arena a = { 0 };
	struct block_sums *sums =
		ARENA_ARRAY(&a, struct block_sums, t->in->p->n_blocks + 1);
	struct memory_stream *streams =
		ARENA_ARRAY(&a, struct memory_stream, n_accesses + 1);
	struct mshr_result *r =
		ARENA_ARRAY(&a, struct mshr_result, t->in->n_mshr + 1);
	double exact, sampled;

	for (size_t i = 0; i < t->in->n_samples; i++) {
		if (t->in->samples[i].n == 0)
			continue;
		memset(streams, 0, n_accesses * sizeof(*streams));
		time_sample(t, h, &t->in->samples[i], streams, sums, &r[0],
			    &r[1]);
	}
	set_blocks(t, h, sums, &exact, &sampled);
	set_entries(t, h, &r[0], &r[1], sampled > 0 ? exact / sampled : 0);
	t->x->hierarchies[h].traced = true;
	arena_free(&a);
}

void memory_costs(struct arena *a, const struct core_cost *costs,
		  struct program_estimate *x)
{
	const struct profile *p = x->in->p;
	struct memory_timing t = {
		.a = a, .in = x->in, .costs = costs, .x = x
	};
	size_t n = 0;

	t.first_access = ARENA_ARRAY(a, uint32_t, p->n_blocks + 1);
	for (size_t i = 0; i < p->n_blocks; i++) {
		t.first_access[i] = (uint32_t)n;
		n += p->blocks[i].n_accesses;
	}
	if (p->instructions > 0)
		t.cycles_per_insn = x->core_cycles / (double)p->instructions;
	for (size_t h = 0; h < x->n_traced; h++)
		time_hierarchy(&t, h, n);
}
