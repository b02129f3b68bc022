/* An estimate as HTML; see print.h.  A curve joins hierarchies that differ in
 * one number of one level: miss rate over its size, a curve for each number of
 * ways. */
#include <math.h>

#include "host/estimate/print.h"
#include "host/html/html.h"
#include "host/predict/print.h"

enum {
	WIDTH = 640,
	HEIGHT = 320,
	LEFT = 70,
	RIGHT = 150,
	BELOW = 50,
	ABOVE = 20,
	N_COLOURS = 6,
	N_MARKS = 4, /* of the rate's axis */
};

static const char *const colours[N_COLOURS] = { "#06c", "#c00", "#090",
						"#c60", "#808", "#088" };

/* A point of a chart: a hierarchy's level. */
struct point {
	uint64_t bytes;
	uint32_t ways;
	double rate;
};

struct chart {
	struct buffer *b;
	size_t n;
	struct point *points;
	double most;              /* rate */
	double smallest, largest; /* log2 of the sizes */
};

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

static double chart_x(const struct chart *c, uint64_t bytes)
{
	double wide = c->largest - c->smallest;

	return LEFT +
	       (WIDTH - LEFT - RIGHT) *
		       (wide > 0 ? (log2((double)bytes) - c->smallest) / wide
				 : 0.5);
}

static double chart_y(const struct chart *c, double rate)
{
	return HEIGHT - BELOW - (HEIGHT - ABOVE - BELOW) * rate / c->most;
}

static void chart_axes(const struct chart *c)
{
	for (int i = 0; i <= N_MARKS; i++) {
		double rate = c->most * i / N_MARKS;
		double y = chart_y(c, rate);

		buffer_printf(c->b,
			      "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text "
			      "x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g "
			      "%%</text>\n",
			      LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4,
			      100 * rate);
	}
	for (size_t i = 0; i < c->n; i++) {
		bool first = true;

		for (size_t k = 0; k < i; k++)
			first = first &&
				c->points[k].bytes != c->points[i].bytes;
		if (first)
			buffer_printf(c->b,
				      "<text x=\"%.1f\" y=\"%d\" "
				      "text-anchor=\"middle\">%gK</text>\n",
				      chart_x(c, c->points[i].bytes),
				      HEIGHT - BELOW + 20,
				      (double)c->points[i].bytes / 1024);
	}
}

/* The next larger size with the same ways; NULL: none. */
static const struct point *next_point(const struct chart *c,
				      const struct point *from)
{
	const struct point *best = NULL;

	for (size_t i = 0; i < c->n; i++) {
		const struct point *x = &c->points[i];

		if (x->ways == from->ways && x->bytes > from->bytes &&
		    (!best || x->bytes < best->bytes))
			best = x;
	}
	return best;
}

static unsigned colour_of(const struct chart *c, uint32_t ways)
{
	unsigned n = 0;

	for (size_t i = 0; i < c->n && c->points[i].ways != ways; i++) {
		bool first = true;

		for (size_t k = 0; k < i; k++)
			first = first && c->points[k].ways != c->points[i].ways;
		n += first;
	}
	return n;
}

static void chart_points(const struct chart *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct point *p = &c->points[i];
		const struct point *next = next_point(c, p);
		unsigned colour = colour_of(c, p->ways);
		double x = chart_x(c, p->bytes), y = chart_y(c, p->rate);

		buffer_printf(c->b,
			      "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" "
			      "fill=\"%s\"><title>%.4g %%</title></circle>\n",
			      x, y, colours[colour % N_COLOURS], 100 * p->rate);
		if (next)
			buffer_printf(c->b,
				      "<path d=\"M%.1f %.1fL%.1f %.1f\" "
				      "stroke=\"%s\"/>\n",
				      x, y, chart_x(c, next->bytes),
				      chart_y(c, next->rate),
				      colours[colour % N_COLOURS]);
		else
			buffer_printf(c->b,
				      "<text x=\"%d\" y=\"%u\" "
				      "fill=\"%s\">%u ways</text>\n",
				      WIDTH - RIGHT + 12, 30 + 18 * colour,
				      colours[colour % N_COLOURS],
				      (unsigned)p->ways);
	}
}

static void chart_draw(struct chart *c, const char *level)
{
	c->most = 0;
	c->smallest = HUGE_VAL;
	c->largest = 0;
	for (size_t i = 0; i < c->n; i++) {
		double size = log2((double)c->points[i].bytes);

		c->most = fmax(c->most, c->points[i].rate);
		c->smallest = fmin(c->smallest, size);
		c->largest = fmax(c->largest, size);
	}
	if (c->most <= 0)
		c->most = 1;
	buffer_printf(c->b,
		      "<h2>Misses of %s over its size</h2>\n<p>Of all lines "
		      "that the first level was asked for.</p>\n<svg "
		      "xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		      "height=\"%d\" font-family=\"sans-serif\" "
		      "font-size=\"12\" fill=\"none\"><g fill=\"#333\">\n",
		      level, WIDTH, HEIGHT);
	chart_axes(c);
	chart_points(c);
	buffer_printf(c->b, "</g></svg>\n");
}

/* Charts of one level: one for each set of hierarchies that are the same but
 * for this level. */
static void charts_of(struct buffer *b, const struct program_estimate *x,
		      size_t level)
{
	struct arena a = { 0 };
	bool *done = ARENA_ARRAY(&a, bool, x->n_hierarchies + 1);
	struct chart c = { .b = b };

	c.points = ARENA_ARRAY(&a, struct point, x->n_hierarchies + 1);
	for (size_t h = 0; h < x->n_hierarchies; h++) {
		c.n = 0;
		for (size_t i = h; i < x->n_hierarchies; i++) {
			const struct cache_hierarchy *is =
				x->hierarchies[i].caches;
			const struct estimate_level *e =
				x->hierarchies[i].levels;

			if (done[i] || level >= is->n_levels ||
			    !same_but(x->hierarchies[h].caches, is, level))
				continue;
			done[i] = true;
			c.points[c.n++] = (struct point){
				.bytes = is->levels[level].bytes,
				.ways = is->levels[level].ways,
				.rate = estimate_percent(
						(double)e[level].counts.misses,
						(double)e[0].counts.accesses) /
					100,
			};
		}
		if (c.n > 1)
			chart_draw(
				&c,
				x->hierarchies[h].caches->levels[level].name);
	}
	arena_free(&a);
}

void estimate_print_html(struct buffer *b, const struct program_estimate *x,
			 size_t top)
{
	struct buffer text = { 0 };

	buffer_printf(b, "<!DOCTYPE html>\n<html><head><meta "
			 "charset=\"utf-8\"><title>anechoic estimate</title>"
			 "</head><body>\n<pre>\n");
	estimate_print_text(&text, x, top);
	html_escape(b, (const char *)text.bytes, text.n);
	buffer_printf(b, "</pre>\n");
	for (size_t l = 0; l < CACHE_MAX_LEVELS; l++)
		charts_of(b, x, l);
	buffer_printf(b, "</body></html>\n");
	buffer_free(&text);
}
