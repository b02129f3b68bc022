/* Waiting for memory: samples go through the model of misses in flight. */
#include <math.h>
#include <string.h>

#include "host/estimate/memory_inner.h"

/* ---- one window ---------------------------------------------------------- */

/* The sums that a record adds to; NULL: it does not count, or its instruction
 * is not known. */
static struct depth_sums *sums_of(const struct window *w,
				  struct memory_sums *sums, size_t i)
{
	return i >= w->sample->n_before && w->placed[i].known
		       ? &sums->blocks[w->placed[i].block]
				  .at[window_level(w, i)]
		       : NULL;
}

static void add_delays(const struct window *w, const uint64_t *delays,
		       double sign, struct memory_sums *sums, double *ret_all)
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
	const struct cache_counts *c = &w->of->levels[level].counts;
	bool memory = level + 1 == h->n_levels;
	double rate = memory ? h->memory_bytes : h->levels[level + 1].bandwidth;
	double back = c->misses ? (double)c->writebacks / (double)c->misses : 0;

	return rate > 0 ? h->levels[level].line_bytes * (1 + back) / rate : 0;
}

/* Where lines arrive more slowly than the program asks for them, the difference
 * is shared by those that wait for them. */
static void add_transfers(const struct window *w, double cycles,
			  struct memory_sums *sums)
{
	unsigned slowest = 0;
	double most = 0, n_slowest = 0;

	for (unsigned k = 0; k < w->hierarchy->n_levels; k++) {
		double n = 0;

		for (size_t i = 0; i < w->n; i++)
			n += window_level(w, i) > k;
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

		if (s && window_level(w, i) > slowest)
			s->delays += (most - cycles) / n_slowest;
	}
}

/* The first level serves no load, or no store, while it gets a line; and no load,
 * while another one asks the second TLB. */
static void add_fills(const struct window *w, struct memory_sums *sums,
		      double *ret_all)
{
	for (size_t i = 0; i < w->n; i++) {
		struct depth_sums *s = sums_of(w, sums, i);
		const struct mshr_access *x = &w->accesses[i];
		double cycles = 0;

		if (window_level(w, i) > 0)
			cycles += x->holds ? w->hierarchy->fill_cycles
					   : w->hierarchy->write_cycles;
		if (x->translate > 0 && x->holds)
			cycles += w->hierarchy->tlb.fill_cycles;
		*ret_all += cycles;
		if (s)
			s->delays += cycles;
	}
}

/* Warm-up adds to the latencies, too: window_entries() has all records. */
static void add_counts(const struct window *w, struct memory_sums *sums)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct mshr_access *x = &w->accesses[i];
		struct depth_sums *s = sums_of(w, sums, i);

		if (w->placed[i].known)
			sums->latencies +=
				extra_of(w->hierarchy, window_level(w, i)) +
				x->translate;
		if (!s)
			continue;
		s->n++;
		s->translate += x->translate;
	}
}

/* The demand of misses for entries: nothing is fetched in advance. */
static void window_entries(const struct window *w, struct memory_sums *sums)
{
	struct mshr_options o = { .window = w->window,
				  .tlb = w->hierarchy->tlb };

	mshr_run(w->a, w->accesses, w->n, &o, &sums->entries[0], NULL);
	for (size_t i = 0; i < w->t->in->n_mshr; i++) {
		o.entries = w->t->in->mshr[i];
		mshr_run(w->a, w->accesses, w->n, &o, &sums->entries[i + 1],
			 NULL);
	}
}

static void window_delays(const struct window *w, struct memory_sums *sums)
{
	struct mshr_result r = { 0 };
	struct mshr_options o = {
		.window = w->window,
		.entries = w->hierarchy->levels[0].mshr,
		.tlb = w->hierarchy->tlb,
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

/* ---- a hierarchy --------------------------------------------------------- */

static void set_entries(const struct estimate_input *in,
			const struct mshr_result *entries, double scale,
			struct estimate_hierarchy *x)
{
	static const double nearly_always = 0.99;
	const struct mshr_result *any = &entries[0];

	x->entries_needed = mshr_enough(any, nearly_always);
	if (any->cycles > 0)
		x->entries_mean = (double)any->busy / (double)any->cycles;
	for (size_t i = 0; i < in->n_mshr; i++)
		x->mshr[i] = (struct estimate_mshr){
			.entries = in->mshr[i],
			.stall_cycles =
				scale * fmax(0, (double)entries[i + 1].cycles -
							(double)any->cycles),
		};
}

static void time_sample(const struct memory_timing *t, size_t h,
			const struct estimate_sample *s,
			struct memory_stream *streams, struct memory_sums *sums)
{
	struct arena a = { 0 };
	struct window w = {
		.a = &a,
		.t = t,
		.of = &t->x->hierarchies[h],
		.hierarchy = t->x->hierarchies[h].caches,
		.sample = s,
		.n = s->n,
		.streams = streams,
	};

	window_fill(&w);
	window_delays(&w, sums);
	add_counts(&w, sums);
	window_entries(&w, sums);
	for (size_t i = 0; i < w.n; i++)
		if (w.placed[i].known)
			streams[w.placed[i].flat] = (struct memory_stream){ 0 };
	arena_free(&a);
}

static void time_hierarchy(const struct memory_timing *t, size_t h,
			   size_t n_accesses)
{
	const struct estimate_input *in = t->in;
	struct estimate_hierarchy *x = &t->x->hierarchies[h];
	struct arena a = { 0 };
	struct memory_stream *streams =
		ARENA_ARRAY(&a, struct memory_stream, n_accesses + 1);
	struct memory_sums sums = {
		.blocks =
			ARENA_ARRAY(&a, struct block_sums, in->p->n_blocks + 1),
		.entries = ARENA_ARRAY(&a, struct mshr_result, in->n_mshr + 1),
	};
	double exact; /* latencies */

	for (size_t i = 0; i < in->n_samples; i++)
		if (in->samples[i].n > 0)
			time_sample(t, h, &in->samples[i], streams, &sums);
	exact = memory_set_blocks(t->x, h, sums.blocks);
	set_entries(in, sums.entries,
		    sums.latencies > 0 ? exact / sums.latencies : 0, x);
	x->traced = true;
	arena_free(&a);
}

void memory_costs(struct arena *a, const struct core_cost *costs,
		  struct program_estimate *x)
{
	const struct profile *p = x->in->p;
	struct memory_timing t = { .in = x->in, .costs = costs, .x = x };
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
