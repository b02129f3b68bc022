/* Samples of a vCPU's accesses; see trace.h. */
#include "host/cache/trace.h"

#include <stdlib.h>

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

/* Drop the windows that do not begin at a multiple of twice the spacing; their
 * memory goes to the places behind those that stay. */
static void trace_thin(struct cache_trace *t)
{
	size_t n = 0;

	t->spacing *= 2;
	for (size_t i = 0; i < t->n; i++) {
		struct cache_window kept = t->windows[i];

		if (kept.first % t->spacing != 0)
			continue;
		t->windows[i] = t->windows[n];
		t->windows[n++] = kept;
	}
	t->n = n;
	for (size_t i = n; i < CACHE_TRACE_WINDOWS; i++)
		t->windows[i].n = 0;
}

static bool trace_begin(struct cache_trace *t)
{
	struct cache_window *w;

	if (t->n == CACHE_TRACE_WINDOWS)
		trace_thin(t);
	if (t->seen % t->spacing != 0) {
		t->next = (t->seen / t->spacing + 1) * t->spacing;
		return false;
	}
	t->next = t->seen + t->spacing;
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
