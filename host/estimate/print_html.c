/* An estimate as HTML; see print.h.  A curve joins hierarchies that differ in
 * one number of one level: miss rate over its size, a curve for each number of
 * ways. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/estimate/print.h"
#include "host/html/html.h"
#include "host/html/svg.h"

/* A point of a chart: a hierarchy's level. */
struct point {
	uint32_t ways;
	double kib, percent;
};

static int by_ways(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->ways != y->ways)
		return x->ways < y->ways ? -1 : 1;
	return (x->kib > y->kib) - (x->kib < y->kib);
}

static bool same_pages(const struct cache_pages *a, const struct cache_pages *b)
{
	return a->contiguous == b->contiguous && a->scattered == b->scattered &&
	       a->first == b->first;
}

/* Are two hierarchies the same but for the size and ways of a level? */
static bool same_but(const struct cache_hierarchy *a,
		     const struct cache_hierarchy *b, size_t level)
{
	if (a->n_levels != b->n_levels || !same_pages(&a->pages, &b->pages))
		return false;
	for (size_t i = 0; i < a->n_levels; i++) {
		const struct cache_level *x = &a->levels[i], *y = &b->levels[i];

		if (x->line_bytes != y->line_bytes || x->shared != y->shared ||
		    x->keep != y->keep)
			return false;
		if (i != level && (x->bytes != y->bytes || x->ways != y->ways))
			return false;
	}
	return true;
}

/* The points of equal ways from `first` on, as a series; returns the end. */
static size_t add_series(struct buffer *b, const struct svg_plot *plot,
			 const struct point *points, size_t first, size_t n,
			 size_t number)
{
	struct buffer at = { 0 };
	char name[32];
	size_t i = first;

	for (; i < n && points[i].ways == points[first].ways; i++)
		buffer_add(&at,
			   &(struct svg_point){ .x = points[i].kib,
						.y = points[i].percent },
			   sizeof(struct svg_point));
	(void)snprintf(name, sizeof(name), "%u ways",
		       (unsigned)points[first].ways);
	svg_series(b, plot, number, name, (const void *)at.bytes, i - first);
	buffer_free(&at);
	return i;
}

static void add_chart(struct buffer *b, const char *level, struct point *points,
		      size_t n)
{
	enum { WIDTH = 420, HEIGHT = 250, SIDE = 60, RIGHT = 100, FOOT = 40 };
	struct svg_plot plot = {
		.left = SIDE,
		.top = FOOT,
		.width = WIDTH,
		.height = HEIGHT,
		.x0 = HUGE_VAL,
		.log_x = true,
		.x_name = "KiB",
		.y_name = "misses in % of the lines",
	};

	for (size_t i = 0; i < n; i++) {
		plot.x0 = fmin(plot.x0, points[i].kib / 1.1);
		plot.x1 = fmax(plot.x1, points[i].kib * 1.1);
		plot.y1 = fmax(plot.y1, points[i].percent);
	}
	if (plot.y1 <= 0)
		plot.y1 = 100;
	html_printf(b,
		    "<h2>Misses of %s over its size</h2>\n<p>Of all lines "
		    "that the first level was asked for.</p>\n",
		    level);
	svg_begin(b, SIDE + WIDTH + RIGHT, 2 * FOOT + HEIGHT,
		  "Misses over the size");
	svg_axes(b, &plot);
	qsort(points, n, sizeof(*points), by_ways);
	for (size_t i = 0, number = 0; i < n; number++)
		i = add_series(b, &plot, points, i, n, number);
	svg_end(b);
}

/* Charts of one level: one for each set of hierarchies that are the same but
 * for this level. */
static void charts_of(struct buffer *b, const struct program_estimate *x,
		      size_t level)
{
	struct arena a = { 0 };
	bool *done = ARENA_ARRAY(&a, bool, x->n_hierarchies + 1);
	struct point *points =
		ARENA_ARRAY(&a, struct point, x->n_hierarchies + 1);

	for (size_t h = 0; h < x->n_hierarchies; h++) {
		size_t n = 0;

		for (size_t i = h; i < x->n_hierarchies; i++) {
			const struct cache_hierarchy *is =
				x->hierarchies[i].caches;
			const struct estimate_level *e =
				x->hierarchies[i].levels;

			if (done[i] || level >= is->n_levels ||
			    !same_but(x->hierarchies[h].caches, is, level))
				continue;
			done[i] = true;
			points[n++] = (struct point){
				.ways = is->levels[level].ways,
				.kib = (double)is->levels[level].bytes / 1024,
				.percent = estimate_percent(
					(double)e[level].counts.misses,
					(double)e[0].counts.accesses),
			};
		}
		if (n > 1)
			add_chart(b,
				  x->hierarchies[h].caches->levels[level].name,
				  points, n);
	}
	arena_free(&a);
}

void estimate_print_html(struct buffer *b, const struct program_estimate *x,
			 size_t top)
{
	const struct html_page page = { .title = "anechoic estimate",
					.head = svg_style };
	struct buffer text = { 0 };

	html_begin(b, &page);
	buffer_printf(b, "<pre>");
	estimate_print_text(&text, x, top);
	html_escape(b, (const char *)text.bytes, text.n);
	buffer_printf(b, "</pre>\n");
	for (size_t l = 0; l < CACHE_MAX_LEVELS; l++)
		charts_of(b, x, l);
	html_end(b, "");
	buffer_free(&text);
}
