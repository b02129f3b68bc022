/* Samples of a vCPU's accesses; see trace.h. */
#include "host/cache/trace.h"

#include <stdlib.h>

#include "host/base/random.h"

struct cache_trace *cache_trace_new(void)
{
	struct cache_trace *t = calloc(1, sizeof(*t));

	if (t)
		t->spacing = CACHE_TRACE_WINDOW;
	return t;
}

void cache_trace_free(struct cache_trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < CACHE_TRACE_WINDOWS; i++)
		free(t->windows[i].records);
	free(t);
}

void cache_trace_clear(struct cache_trace *t)
{
	for (size_t i = 0; i < CACHE_TRACE_WINDOWS; i++)
		t->windows[i].n = 0;
	t->seen = t->end = t->next = t->n = 0;
	t->spacing = CACHE_TRACE_WINDOW;
}

/* A number that looks random, the same each time. */
static uint64_t trace_draw(const struct cache_trace *t, uint64_t stretch)
{
	uint64_t state = t->spacing ^ stretch;

	return random_next(&state);
}

/* Where the window of a stretch starts.  It may end in the next one, whose own
 * then starts later. */
static uint64_t trace_place(const struct cache_trace *t, uint64_t stretch)
{
	uint64_t place = stretch * t->spacing;

	return t->spacing > CACHE_TRACE_WINDOW
		       ? place + trace_draw(t, stretch) % t->spacing
		       : place;
}

/* Merge stretches in pairs; each pair keeps one window.  Memory of the others
 * is kept behind the windows that stay, to be used again. */
static void trace_thin(struct cache_trace *t)
{
	size_t n = 0;

	t->spacing *= 2;
	for (size_t i = 0; i < t->n; i++) {
		struct cache_window x = t->windows[i];
		uint64_t stretch = x.first / t->spacing;
		bool second = n > 0 &&
			      t->windows[n - 1].first / t->spacing == stretch;
		size_t to = second ? n - 1 : n;

		if (second && trace_draw(t, stretch) % 2 == 0)
			continue;
		t->windows[i] = t->windows[to];
		t->windows[to] = x;
		n = to + 1;
	}
	t->n = n;
	for (size_t i = n; i < CACHE_TRACE_WINDOWS; i++)
		t->windows[i].n = 0;
}

/* Start a window here.  False: stretches were merged, and the window of this
 * one starts later; or memory is short. */
static bool trace_begin(struct cache_trace *t)
{
	struct cache_window *w;

	while (t->n == CACHE_TRACE_WINDOWS) {
		trace_thin(t);
		t->next = trace_place(t, t->seen / t->spacing);
	}
	if (t->seen < t->next)
		return false;
	t->next = trace_place(t, t->seen / t->spacing + 1);
	w = &t->windows[t->n];
	if (!w->records)
		w->records = malloc(CACHE_TRACE_WINDOW * sizeof(*w->records));
	if (!w->records)
		return false;
	t->n++;
	t->end = t->seen + CACHE_TRACE_WINDOW;
	w->first = t->seen;
	w->n = 0;
	return true;
}

void cache_trace_keep(struct cache_trace *t, const struct cache_record *r)
{
	if (t->seen < t->end || trace_begin(t)) {
		struct cache_window *w = &t->windows[t->n - 1];

		w->records[w->n++] = *r;
	}
	t->seen++;
}
