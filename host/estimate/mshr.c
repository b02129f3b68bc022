/* Misses in flight; see mshr.h. */
#include "host/estimate/mshr.h"

#include <stdlib.h>
#include <string.h>

/* Until when the line of a place of the table is in flight. */
struct mshr_line {
	uint64_t line, until;
	bool used;
};

/* When each of n is free: the earliest first; n 0: always. */
struct heap {
	size_t n;
	uint64_t *free;
};

struct mshr {
	const struct mshr_access *accesses;
	const struct mshr_options *o;
	/* Hash tables; room: a power of two. */
	struct mshr_line *lines, *pages;
	size_t room;
	struct heap entries, walkers;
	uint64_t next_walk; /* not before */
	uint64_t *completed, *retired;
	uint64_t *ready;  /* of each access, without translation */
	uint32_t *cause;  /* itself, or the miss that its address waits for */
	uint32_t *holder; /* the cause of retired[i] */
	/* Begin and end of each miss, for the occupancy. */
	size_t n_spans;
	uint64_t *begins, *ends;
};

static struct mshr_line *mshr_find(const struct mshr *m,
				   struct mshr_line *lines, uint64_t line)
{
	/* As host/cache/full.c. */
	size_t at = (size_t)((line * UINT64_C(0x9E3779B97F4A7C15)) >> 20);

	for (at &= m->room - 1; lines[at].used && lines[at].line != line;)
		at = (at + 1) & (m->room - 1);
	lines[at].line = line;
	return &lines[at];
}

/* Put a new time at the root of the heap, and restore its order. */
static void heap_replace(struct heap *h, uint64_t until)
{
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= h->n)
			break;
		if (child + 1 < h->n && h->free[child + 1] < h->free[child])
			child++;
		if (h->free[child] >= until)
			break;
		h->free[i] = h->free[child];
		i = child;
	}
	h->free[i] = until;
}

/* When the first of them is free, from `ready` on. */
static uint64_t heap_free(const struct heap *h, uint64_t ready)
{
	return h->n > 0 && h->free[0] > ready ? h->free[0] : ready;
}

/* Take what is free first, from `ready` on; returns when that begins. */
static uint64_t heap_take(struct heap *h, uint64_t ready, uint32_t cycles)
{
	uint64_t begin = heap_free(h, ready);

	if (h->n > 0)
		heap_replace(h, begin + cycles);
	return begin;
}

/* A miss takes the entry that is free first; returns when it completes.  there:
 * when its line arrives that was fetched in advance. */
static uint64_t take_entry(struct mshr *m, uint64_t ready,
			   const struct mshr_access *x, uint64_t there,
			   struct mshr_result *sum)
{
	uint64_t begin = heap_free(&m->entries, ready);
	uint64_t until = begin + x->latency;

	if (there < until)
		until = there > begin + x->hit ? there : begin + x->hit;
	if (m->entries.n > 0)
		heap_replace(&m->entries, until);
	m->begins[m->n_spans] = begin;
	m->ends[m->n_spans++] = until;
	sum->busy += until - begin;
	return until;
}

/* A walk takes a walker; returns when it begins. */
static uint64_t begin_walk(struct mshr *m, uint64_t ready, uint32_t cycles)
{
	uint64_t begin = ready > m->next_walk ? ready : m->next_walk;

	begin = heap_take(&m->walkers, begin, cycles);
	m->next_walk = begin + m->o->tlb.interval;
	return begin;
}

/* When the address of an access is translated. */
static uint64_t translate(struct mshr *m, const struct mshr_access *x,
			  uint64_t ready)
{
	struct mshr_line *page;

	if (!m->pages)
		return ready;
	page = mshr_find(m, m->pages, x->page);
	if (page->used && page->until > ready)
		return page->until;
	if (!x->translate)
		return ready;
	if (x->walks)
		ready = begin_walk(m, ready, x->translate);
	page->used = true;
	page->until = ready + x->translate;
	return page->until;
}

static uint64_t complete(struct mshr *m, size_t i, uint64_t ready,
			 struct mshr_result *sum)
{
	const struct mshr_access *x = &m->accesses[i];
	struct mshr_line *l;
	uint64_t there;

	ready = translate(m, x, ready);
	l = mshr_find(m, m->lines, x->line);

	if (l->used && l->until > ready) {
		sum->merged++;
		return l->until;
	}
	if (!x->misses)
		return ready + x->latency;
	there = x->streams ? m->ready[x->fetched] + x->latency : UINT64_MAX;
	if (there <= ready + x->hit)
		return ready + x->hit;
	sum->misses++;
	l->used = true;
	l->until = take_entry(m, ready, x, there, sum);
	return l->until;
}

static void retire(struct mshr *m, size_t i)
{
	uint64_t before = i ? m->retired[i - 1] : 0;
	bool later = m->accesses[i].holds && m->completed[i] > before;

	m->retired[i] = later ? m->completed[i] : before;
	m->holder[i] = later ? m->cause[i] : i ? m->holder[i - 1] : MSHR_NONE;
}

static int mshr_by_time(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Cycles at each occupancy from `from` to `to`. */
static void sweep(struct mshr *m, uint64_t from, uint64_t to,
		  struct mshr_result *sum)
{
	uint64_t now = from;
	size_t begun = 0, ended = 0;

	qsort(m->begins, m->n_spans, sizeof(*m->begins), mshr_by_time);
	qsort(m->ends, m->n_spans, sizeof(*m->ends), mshr_by_time);
	while (ended < m->n_spans) {
		bool begins =
			begun < m->n_spans && m->begins[begun] < m->ends[ended];
		uint64_t next = begins ? m->begins[begun] : m->ends[ended];
		size_t n = begun - ended;

		sum->at[n < MSHR_MOST ? n : MSHR_MOST] += next - now;
		now = next;
		begun += begins;
		ended += !begins;
		if (begun - ended > sum->most)
			sum->most = (uint32_t)(begun - ended);
	}
	sum->at[0] += to - now;
}

static bool translates(const struct mshr_access *accesses, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (accesses[i].translate)
			return true;
	return false;
}

static void mshr_open(struct mshr *m, struct arena *a, size_t n)
{
	for (m->room = 16; m->room < 2 * n;)
		m->room *= 2;
	m->lines = ARENA_ARRAY(a, struct mshr_line, m->room);
	if (translates(m->accesses, n))
		m->pages = ARENA_ARRAY(a, struct mshr_line, m->room);
	m->entries.n = m->o->entries;
	m->entries.free = ARENA_ARRAY(a, uint64_t, m->entries.n + 1);
	m->walkers.n = m->o->tlb.walkers;
	m->walkers.free = ARENA_ARRAY(a, uint64_t, m->walkers.n + 1);
	m->completed = ARENA_ARRAY(a, uint64_t, n);
	m->retired = ARENA_ARRAY(a, uint64_t, n);
	m->ready = ARENA_ARRAY(a, uint64_t, n);
	m->cause = ARENA_ARRAY(a, uint32_t, n);
	m->holder = ARENA_ARRAY(a, uint32_t, n);
	m->begins = ARENA_ARRAY(a, uint64_t, n);
	m->ends = ARENA_ARRAY(a, uint64_t, n);
}

/* Not before `from`, until when access `of` holds it up. */
static uint64_t wait_until(uint64_t dispatch, uint64_t from, uint32_t of,
			   uint64_t *delays)
{
	if (from <= dispatch)
		return dispatch;
	if (delays)
		delays[of] += from - dispatch;
	return from;
}

/* Assume that the program continues after its last access, at the mean rate
 * with its jumps: add what accesses from `behind` on hold up, which are less
 * than a window before the last.  shift: how much later than its `time` the
 * last one was dispatched. */
static void drain(const struct mshr *m, size_t n, size_t behind, uint64_t shift,
		  uint64_t *delays)
{
	const struct mshr_access *x = m->accesses, *last = &x[n - 1];
	uint64_t insns = last->order - x[0].order;
	double cycles = (double)(last->time - x[0].time), rate;

	for (size_t i = 1; i < n; i++)
		cycles += x[i].refill;
	rate = insns > 0 ? cycles / (double)insns : 0;
	for (size_t i = behind; i < n; i++) {
		uint64_t after = x[i].order + m->o->window - last->order;
		uint64_t dispatch =
			last->time + (uint64_t)((double)after * rate) + shift;

		shift += wait_until(dispatch, m->retired[i], m->holder[i],
				    delays) -
			 dispatch;
	}
}

static bool is_slow(const struct mshr_access *x)
{
	return x->misses || x->translate;
}

void mshr_run(struct arena *a, const struct mshr_access *accesses, size_t n,
	      const struct mshr_options *o, struct mshr_result *sum,
	      uint64_t *delays)
{
	struct mshr m = { .accesses = accesses, .o = o };
	uint64_t dispatch = n ? accesses[0].time : 0;
	uint64_t last = dispatch;
	size_t behind = 0; /* accesses that must have retired */

	mshr_open(&m, a, n);
	if (delays)
		memset(delays, 0, n * sizeof(*delays));
	for (size_t i = 0; i < n; i++) {
		const struct mshr_access *x = &accesses[i];
		uint64_t ready;

		if (i > 0)
			dispatch += x->time - accesses[i - 1].time;
		if (x->redirect != MSHR_NONE)
			dispatch =
				wait_until(dispatch, m.completed[x->redirect],
					   m.cause[x->redirect], delays);
		dispatch += x->refill;
		while (behind < i &&
		       accesses[behind].order + o->window <= x->order)
			behind++;
		if (behind > 0)
			dispatch = wait_until(dispatch, m.retired[behind - 1],
					      m.holder[behind - 1], delays);
		ready = dispatch;
		m.cause[i] = (uint32_t)i;
		if (x->depends != MSHR_NONE &&
		    m.completed[x->depends] > ready) {
			ready = m.completed[x->depends];
			if (!is_slow(x) &&
			    is_slow(&accesses[m.cause[x->depends]]))
				m.cause[i] = m.cause[x->depends];
		}
		m.ready[i] = ready;
		m.completed[i] = complete(&m, i, ready, sum);
		retire(&m, i);
		if (m.completed[i] > last)
			last = m.completed[i];
	}
	if (n == 0)
		return;
	if (delays)
		drain(&m, n, behind, dispatch - accesses[n - 1].time, delays);
	sum->cycles += last - accesses[0].time;
	sweep(&m, accesses[0].time, last, sum);
}

uint32_t mshr_enough(const struct mshr_result *r, double share)
{
	uint64_t all = 0, sum = 0;

	for (size_t i = 0; i <= MSHR_MOST; i++)
		all += r->at[i];
	for (uint32_t i = 0; i < MSHR_MOST; i++) {
		sum += r->at[i];
		if ((double)sum >= share * (double)all)
			return i;
	}
	return MSHR_MOST;
}
