/* Waiting for memory: samples go through the model of misses in flight. */
#include <math.h>
#include <string.h>

#include "host/estimate/inner.h"
#include "host/estimate/mshr.h"

enum {
	/* Hardware fetches ahead within a page only, as the next one may be
	 * anywhere in physical memory. */
	STREAM_PAGE = 4096,
	/* Equal steps in a row that make a stream. */
	STREAM_STEPS = 2,
	/* A core of unknown sizes, as host/predict assumes it. */
	ASSUMED_WINDOW = 256,
};

/* The last lines of an instruction. */
struct memory_stream {
	uint64_t line;
	int64_t step;
	uint32_t n_steps; /* equal ones in a row */
	uint32_t last;    /* record of the sample + 1; 0: none */
};

/* A record with its place in the profile. */
struct placed {
	uint32_t block, access, flat;
	bool known;
};

/* Sums over the samples of a hierarchy. */
struct block_sums {
	double delays, latencies;
};

struct memory_timing {
	struct arena *a;
	const struct estimate_input *in;
	const struct core_cost *costs;
	struct program_estimate *x;
	uint32_t *first_access; /* of each block, over all accesses */
	double cycles_per_insn; /* of the whole run */
};

/* A sample, as the model sees it. */
struct window {
	struct arena *a; /* for this window */
	const struct memory_timing *t;
	size_t h;
	const struct cache_hierarchy *hierarchy;
	size_t n;
	const struct cache_record *records;
	struct placed *placed;
	struct mshr_access *accesses;
	bool *fetched; /* in advance */
	struct memory_stream *streams;
	uint64_t window; /* instructions */
};

static uint32_t latency_of(const struct cache_hierarchy *h, unsigned level)
{
	return level < h->n_levels ? h->levels[level].latency
				   : h->memory_latency;
}

/* ---- program order ----------------------------------------------------- */

static struct placed *place_all(struct arena *a, const struct memory_timing *t,
				const struct estimate_sample *s)
{
	struct placed *list = ARENA_ARRAY(a, struct placed, s->n + 1);

	for (size_t i = 0; i < s->n; i++) {
		struct placed *x = &list[i];

		x->known = t->in->place(t->in->context, s->records[i].place,
					&x->block, &x->access);
		if (x->known)
			x->flat = t->first_access[x->block] + x->access;
	}
	return list;
}

static double insn_cycles(const struct memory_timing *t, uint32_t block)
{
	const struct profile_block *b = &t->in->p->blocks[block];
	double cycles = t->costs[block].cycles;

	return cycles > 0 ? cycles / b->n_insns : t->cycles_per_insn;
}

/* Cycles from one record to the next: instructions of their blocks at the speed
 * of these, what lies between at that of the whole run. */
static double gap_cycles(const struct memory_timing *t,
			 const struct placed *from, const struct placed *to,
			 uint64_t insns)
{
	const struct profile_block *b;
	const struct profile_access *x, *y;
	uint64_t rest, begin;

	if (!from->known || !to->known)
		return (double)insns * t->cycles_per_insn;
	b = &t->in->p->blocks[from->block];
	x = &b->accesses[from->access];
	y = &t->in->p->blocks[to->block].accesses[to->access];
	if (from->block == to->block && insns <= b->n_insns)
		return (double)insns * insn_cycles(t, from->block);
	rest = b->n_insns - x->index;
	rest = rest < insns ? rest : insns;
	begin = y->index < insns - rest ? y->index : insns - rest;
	return (double)rest * insn_cycles(t, from->block) +
	       (double)begin * insn_cycles(t, to->block) +
	       (double)(insns - rest - begin) * t->cycles_per_insn;
}

/* ---- streams ------------------------------------------------------------ */

/* Is this line the next of a stream of its instruction?  Updates the stream. */
static bool stream_next(struct memory_stream *s, uint64_t line, uint32_t unit)
{
	int64_t step = (int64_t)(line - s->line);
	bool expected;

	if (s->last == 0) {
		s->line = line;
		return false;
	}
	if (step == 0)
		return false;
	expected = step == s->step && s->n_steps >= STREAM_STEPS &&
		   step * (int64_t)unit < STREAM_PAGE &&
		   step * (int64_t)unit > -STREAM_PAGE;
	s->n_steps = step == s->step ? s->n_steps + 1 : 1;
	s->step = step;
	s->line = line;
	return expected;
}

static uint32_t depends_on(const struct window *w, size_t i)
{
	const struct placed *at = &w->placed[i];
	const struct core_cost *c;
	const struct estimate_source *s;
	uint32_t last;

	if (!at->known)
		return MSHR_NONE;
	c = &w->t->costs[at->block];
	if (!c->sources || c->sources[at->access].block == ESTIMATE_NONE)
		return MSHR_NONE;
	s = &c->sources[at->access];
	last = w->streams[w->t->first_access[s->block] + s->access].last;
	return last > 0 ? last - 1 : MSHR_NONE;
}

static bool loads(const struct window *w, const struct placed *at)
{
	return !at->known ||
	       w->t->in->p->blocks[at->block].accesses[at->access].loads;
}

/* Fill the accesses: times, dependencies, and what streams fetch. */
static void window_fill(struct window *w)
{
	uint32_t unit = w->t->in->unit_bytes;
	uint32_t line = w->hierarchy->levels[0].line_bytes;
	uint64_t before = w->records[0].now;
	double time = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct cache_record *r = &w->records[i];
		const struct placed *at = &w->placed[i];
		/* The emulator tells of an access in pieces, and the last one
		 * may come when the next instruction has begun. */
		uint64_t order = r->now > before ? r->now : before;
		unsigned level = cache_record_level(r, w->h);
		uint64_t number = r->line * unit / line;

		if (i > 0)
			time += gap_cycles(w->t, &w->placed[i - 1], at,
					   order - before);
		before = order;
		w->accesses[i] = (struct mshr_access){
			.time = (uint64_t)time,
			.order = order,
			.line = number,
			.latency = latency_of(w->hierarchy, level),
			.depends = depends_on(w, i),
			.misses = level > 0,
			.holds = loads(w, at),
		};
		if (!at->known)
			continue;
		w->fetched[i] =
			stream_next(&w->streams[at->flat], number, line) &&
			level > 0 && w->hierarchy->prefetches;
		w->streams[at->flat].last = (uint32_t)i + 1;
	}
}

/* Instructions in flight: the reorder buffer, or as many as the load queue has
 * room for in this window.  In-order cores wait where the data is used. */
static uint64_t window_size(const struct window *w)
{
	const struct model *m = completed_model(w->t->in->k);
	double size = m->reorder_buffer ? m->reorder_buffer : ASSUMED_WINDOW;
	double n_loads = 0, insns;

	if (m->in_order)
		return m->width.has_value ? (uint64_t)ceil(m->width.high) : 1;
	for (size_t i = 0; i < w->n; i++)
		n_loads += w->accesses[i].holds && !w->records[i].same;
	insns = (double)(w->accesses[w->n - 1].order - w->accesses[0].order);
	if (m->load_queue && n_loads > 0 && insns > 0) {
		double by_loads = m->load_queue * insns / n_loads;

		size = m->reorder_buffer ? fmin(size, by_loads) : by_loads;
	}
	return size >= 1 ? (uint64_t)size : 1;
}

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
			n += cache_record_level(&w->records[i], w->h) > k;
		if (n * line_cycles(w, k) > most) {
			most = n * line_cycles(w, k);
			n_slowest = n;
			slowest = k;
		}
	}
	if (most <= cycles)
		return;
	for (size_t i = 0; i < w->n; i++)
		if (w->placed[i].known &&
		    cache_record_level(&w->records[i], w->h) > slowest)
			sums[w->placed[i].block].delays +=
				(most - cycles) / n_slowest;
}

static void add_latencies(const struct window *w, struct block_sums *sums)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->placed[i].known && w->accesses[i].misses)
			sums[w->placed[i].block].latencies +=
				w->accesses[i].latency -
				w->hierarchy->levels[0].latency;
}

/* The demand of misses for entries: nothing is fetched in advance. */
static void window_entries(const struct window *w, struct mshr_result *free,
			   struct mshr_result *each)
{
	struct mshr_options o = { .window = w->window };

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
	};
	uint64_t *delays = ARENA_ARRAY(w->a, uint64_t, w->n);
	struct mshr_access *hits = ARENA_ARRAY(w->a, struct mshr_access, w->n);
	double all = (double)w->accesses[w->n - 1].time;

	memcpy(hits, w->accesses, w->n * sizeof(*hits));
	for (size_t i = 0; i < w->n; i++)
		if (w->fetched[i]) {
			hits[i].misses = false;
			hits[i].latency = w->hierarchy->levels[0].latency;
		}
	mshr_run(w->a, hits, w->n, &o, &r, delays);
	add_delays(w, delays, 1, sums, &all);
	/* The core's cycles contain waiting for hits. */
	for (size_t i = 0; i < w->n; i++) {
		hits[i].misses = false;
		hits[i].latency = w->hierarchy->levels[0].latency;
	}
	mshr_run(w->a, hits, w->n, &o, &r, delays);
	add_delays(w, delays, -1, sums, &all);
	add_transfers(w, all, sums);
}

/* ---- a hierarchy ---------------------------------------------------------- */

/* Latencies beyond the first level's of all misses of a block. */
static double exact_latencies(const struct memory_timing *t, size_t h,
			      uint32_t block)
{
	const struct profile *p = t->in->p;
	const struct profile_block *b = &p->blocks[block];
	const struct cache_hierarchy *x = &t->in->hierarchies[h];
	double sum = 0;

	for (uint32_t i = 0; i < b->n_accesses; i++)
		for (unsigned l = 0; l < x->n_levels; l++)
			sum += (double)b->accesses[i]
				       .misses[p->first_level[h] + l] *
			       (latency_of(x, l + 1) - latency_of(x, l));
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
		*ret_exact += exact;
	}
	x->cycles = t->x->core_cycles + x->memory_cycles;
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
		.placed = place_all(&a, t, s),
		.accesses = ARENA_ARRAY(&a, struct mshr_access, s->n),
		.fetched = ARENA_ARRAY(&a, bool, s->n),
		.streams = streams,
	};

	window_fill(&w);
	w.window = window_size(&w);
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
