/* Waiting for memory: samples go through the model of misses in flight. */
#include <math.h>
#include <string.h>

#include "host/estimate/memory_inner.h"

/* ---- one window ----------------------------------------------------------- */

static unsigned level_of(const struct window *w, size_t i)
{
	return cache_record_level(&w->records[i],
				  estimate_simulated(w->t->in, w->h));
}

/* The sums that a record adds to; NULL: it does not count, or its instruction is not
 * known. */
static struct depth_sums *sums_of(const struct window *w,
				  struct block_sums *sums, size_t i)
{
	return i >= w->n_before && w->placed[i].known
		       ? &sums[w->placed[i].block].at[level_of(w, i)]
		       : NULL;
}

static void add_delays(const struct window *w, const uint64_t *delays,
		       double sign, struct block_sums *sums, double *ret_all)
{
	for (size_t i = 0; i < w->n; i++) {
		struct depth_sums *s = sums_of(w, sums, i);

		*ret_all += sign * (double)delays[i];
		if (s)
			s->delays += sign * (double)delays[i];
	}
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
	for (size_t i = 0; i < w->n; i++) {
		struct depth_sums *s = sums_of(w, sums, i);

		if (s && level_of(w, i) > slowest)
			s->delays += (most - cycles) / n_slowest;
	}
}

/* The first level serves no load, or no store, while it gets a line. */
static void add_fills(const struct window *w, struct block_sums *sums,
		      double *ret_all)
{
	for (size_t i = 0; i < w->n; i++) {
		struct depth_sums *s = sums_of(w, sums, i);
		double cycles = w->accesses[i].holds
					? w->hierarchy->fill_cycles
					: w->hierarchy->write_cycles;

		if (level_of(w, i) == 0)
			continue;
		*ret_all += cycles;
		if (s)
			s->delays += cycles;
	}
}

/* Warm-up adds to *ret_latencies, too: window_entries() has all records. */
static void add_counts(const struct window *w, struct block_sums *sums,
		       double *ret_latencies)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct mshr_access *x = &w->accesses[i];
		struct depth_sums *s = sums_of(w, sums, i);

		if (w->placed[i].known)
			*ret_latencies +=
				extra_of(w->hierarchy, level_of(w, i)) +
				x->translate;
		if (!s)
			continue;
		s->n++;
		s->translate += x->translate;
	}
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

	for (size_t i = 0; i < w->n; i++)
		all += w->accesses[i].refill;
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
				scale * fmax(0, (double)each[i].cycles -
							(double)free->cycles),
		};
}

static void time_sample(struct memory_timing *t, size_t h,
			const struct estimate_sample *s,
			struct memory_stream *streams, struct block_sums *sums,
			double *ret_latencies, struct mshr_result *free,
			struct mshr_result *each)
{
	struct arena a = { 0 };
	struct window w = {
		.a = &a,
		.t = t,
		.h = h,
		.hierarchy = &t->in->hierarchies[h],
		.n = s->n,
		.n_before = s->n_before,
		.records = s->records,
		.streams = streams,
	};

	window_fill(&w);
	window_delays(&w, sums);
	add_counts(&w, sums, ret_latencies);
	window_entries(&w, free, each);
	for (size_t i = 0; i < w.n; i++)
		if (w.placed[i].known)
			streams[w.placed[i].flat] = (struct memory_stream){ 0 };
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
	double exact, sampled = 0; /* latencies */

	for (size_t i = 0; i < t->in->n_samples; i++) {
		if (t->in->samples[i].n == 0)
			continue;
		time_sample(t, h, &t->in->samples[i], streams, sums, &sampled,
			    &r[0], &r[1]);
	}
	exact = memory_set_blocks(t, h, sums);
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
