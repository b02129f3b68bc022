/* Windows of accesses as the model of misses in flight sees them: when each is
 * dispatched, what it depends on, and what is fetched in advance. */
#include <math.h>

#include "host/estimate/memory_inner.h"

enum {
	/* Hardware fetches ahead within a page only, as the next one may be
	 * anywhere in physical memory. */
	STREAM_PAGE = 4096,
	/* Equal steps in a row that make a stream. */
	STREAM_STEPS = 2,
	/* A core of unknown sizes, as host/predict assumes it. */
	ASSUMED_WINDOW = 256,
};

/* ---- program order ----------------------------------------------------- */

static struct placed *place_all(const struct window *w)
{
	const struct memory_timing *t = w->t;
	struct placed *list = ARENA_ARRAY(w->a, struct placed, w->n + 1);

	for (size_t i = 0; i < w->n; i++) {
		struct placed *x = &list[i];

		x->known = t->in->place(t->in->context,
					w->sample->records[i].place, &x->block,
					&x->access);
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

/* The access of a stream that made the line be fetched which it accesses now,
 * as record + 1.  In each page the stream must be seen before it is fetched,
 * and the fetches gain a step with each access, until they are far enough
 * ahead. */
static uint32_t stream_fetcher(const struct memory_stream *s)
{
	uint32_t steps = s->n_page, by;

	if (steps <= STREAM_STEPS)
		return 0;
	by = STREAM_STEPS + (steps - STREAM_STEPS - 1) / STREAM_RATE;
	if (by + STREAM_AHEAD < steps)
		by = steps - STREAM_AHEAD;
	return s->at[by % ARRAY_LEN(s->at)];
}

/* Note the record of a line; returns the record + 1 at which its fetch began if
 * it is the next of a stream of its instruction, else 0. */
static uint32_t stream_next(struct memory_stream *s, uint64_t line,
			    uint32_t unit, uint32_t record)
{
	int64_t step = (int64_t)(line - s->line);
	uint32_t fetcher = 0;

	if (s->last > 0 && step == 0)
		return 0;
	if (s->last > 0 && step == s->step &&
	    step * (int64_t)unit < STREAM_PAGE &&
	    step * (int64_t)unit > -STREAM_PAGE &&
	    line * unit / STREAM_PAGE == s->line * unit / STREAM_PAGE) {
		s->n_page++;
		fetcher = stream_fetcher(s);
	} else {
		s->n_page = 0;
	}
	s->at[s->n_page % ARRAY_LEN(s->at)] = record + 1;
	s->step = step;
	s->line = line;
	return fetcher;
}

/* The last record of a load. */
static uint32_t last_of(const struct window *w, const struct estimate_source *s)
{
	uint32_t last;

	if (s->block == ESTIMATE_NONE)
		return MSHR_NONE;
	last = w->streams[w->t->first_access[s->block] + s->access].last;
	return last > 0 ? last - 1 : MSHR_NONE;
}

static uint32_t depends_on(const struct window *w, size_t i)
{
	const struct placed *at = &w->placed[i];
	const struct core_cost *c;

	if (!at->known)
		return MSHR_NONE;
	c = &w->t->costs[at->block];
	return c->sources ? last_of(w, &c->sources[at->access]) : MSHR_NONE;
}

/* What the last mispredicted jump before a record waited for. */
static uint32_t redirected_by(const struct window *w, size_t i)
{
	const struct estimate_input *in = w->t->in;
	uint32_t block;

	if (i == 0 || w->sample->records[i].n_redirects == 0 ||
	    !w->hierarchy->branch_penalty || !in->jump ||
	    !in->jump(in->context, w->sample->records[i].redirect, &block))
		return MSHR_NONE;
	return last_of(w, &w->t->costs[block].jump);
}

/* Address translation of a record. */
static void fill_page(const struct window *w, size_t i, struct mshr_access *x)
{
	const struct cache_tlb *t = &w->hierarchy->tlb;
	unsigned missed;

	if (w->of->tlb == ESTIMATE_NONE)
		return;
	missed = cache_record_level(&w->sample->records[i], w->of->tlb);
	x->page = w->sample->records[i].line * w->t->in->unit_bytes /
		  t->page_bytes;
	x->translate = tlb_cycles(t, missed);
	x->walks = missed == t->n_levels;
}

static bool loads(const struct window *w, const struct placed *at)
{
	return !at->known ||
	       w->t->in->p->blocks[at->block].accesses[at->access].loads;
}

/* Fill the accesses: times, dependencies, and what streams fetch. */
static void fill_accesses(struct window *w)
{
	uint32_t unit = w->t->in->unit_bytes;
	uint32_t line = w->hierarchy->levels[0].line_bytes;
	uint64_t before = w->sample->records[0].now;
	double time = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct cache_record *r = &w->sample->records[i];
		const struct placed *at = &w->placed[i];
		/* The emulator tells of an access in pieces, and the last one
		 * may come when the next instruction has begun. */
		uint64_t order = r->now > before ? r->now : before;
		unsigned level = window_level(w, i);
		uint64_t number = r->line * unit / line;
		uint32_t fetcher;

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
			.redirect = redirected_by(w, i),
			.refill = i > 0 ? r->n_redirects *
						  w->hierarchy->branch_penalty
					: 0,
		};
		fill_page(w, i, &w->accesses[i]);
		if (!at->known)
			continue;
		fetcher = stream_next(&w->streams[at->flat], number, line,
				      (uint32_t)i);
		if (level > 0 && w->hierarchy->prefetches)
			w->fetched[i] = fetcher;
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
		n_loads += w->accesses[i].holds && !w->sample->records[i].same;
	insns = (double)(w->accesses[w->n - 1].order - w->accesses[0].order);
	if (m->load_queue && n_loads > 0 && insns > 0) {
		double by_loads = m->load_queue * insns / n_loads;

		size = m->reorder_buffer ? fmin(size, by_loads) : by_loads;
	}
	return size >= 1 ? (uint64_t)size : 1;
}

void window_fill(struct window *w)
{
	w->placed = place_all(w);
	w->accesses = ARENA_ARRAY(w->a, struct mshr_access, w->n);
	w->fetched = ARENA_ARRAY(w->a, uint32_t, w->n);
	fill_accesses(w);
	w->window = window_size(w);
}
