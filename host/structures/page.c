/* Findings as pictures, and as a page that stands alone. */
#include <math.h>
#include <stdio.h>

#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/structures/structures.h"

enum {
	WIDTH = 720,
	HEIGHT = 360,
	LEFT = 70,
	TOP = 30,
	RIGHT = 110,
	BOTTOM = 50
};

/* A line through points whose values are above zero, both axes logarithmic. */
static void draw(struct buffer *b, const char *x_name, const char *name,
		 const struct svg_point *points, size_t n)
{
	struct svg_plot plot = {
		.left = LEFT,
		.top = TOP,
		.width = WIDTH - LEFT - RIGHT,
		.height = HEIGHT - TOP - BOTTOM,
		.y0 = 1,
		.y1 = 2,
		.log_x = true,
		.log_y = true,
		.x_name = x_name,
		.y_name = "cycles of a load",
	};

	for (size_t i = 0; i < n; i++)
		plot.y1 = fmax(plot.y1, points[i].high);
	if (n < 2)
		return;
	plot.x0 = points[0].x;
	plot.x1 = points[n - 1].x;
	svg_axes(b, &plot);
	svg_series(b, &plot, 0, name, points, n);
}

static void draw_sizes(struct buffer *b, const struct structures *s)
{
	struct svg_point points[LEVELS_MOST_POINTS];
	size_t n = s->levels.n_points;

	for (size_t i = 0; i < n; i++) {
		const struct levels_point *p = &s->levels.points[i];

		points[i] = (struct svg_point){ (double)p->bytes / 1024,
						p->value.cycles, p->value.low,
						p->value.high };
	}
	draw(b, "KiB of the set", "chase", points, n);
}

static void draw_pages(struct buffer *b, const struct structures *s)
{
	struct svg_point points[PAGES_MOST_POINTS];
	size_t n = s->pages.n_points;

	for (size_t i = 0; i < n; i++) {
		const struct pages_point *p = &s->pages.points[i];

		points[i] = (struct svg_point){ p->pages, p->apart, p->apart,
						p->apart };
	}
	draw(b, "pages, a line in each", "chase", points, n);
}

void structures_svg(struct buffer *b, const struct structures *s)
{
	svg_begin_file(b, WIDTH, HEIGHT);
	draw_sizes(b, s);
	svg_end(b);
}

static void add_row(struct buffer *b, const struct core_finding *x)
{
	char value[FINDING_NUMBER] = "", low[FINDING_NUMBER] = "";
	char high[FINDING_NUMBER] = "";
	bool number = x->known && x->unit != FINDING_WORD;

	if (number) {
		finding_number(value, x->unit, x->value);
		finding_number(high, x->unit, x->high);
	}
	if (number || x->at_least)
		finding_number(low, x->unit, x->low);
	html_printf(b,
		    "<tr><td><code>%s</code></td><td class=n>%s%s</td>"
		    "<td>%s</td><td class=n>%s%s%s</td><td>%s</td></tr>\n",
		    x->key,
		    number        ? value
		    : x->at_least ? low
		    : x->known    ? x->word
				  : "not known",
		    x->at_least ? " or more" : "", finding_unit_word(x->unit),
		    number ? low : "", number ? " to " : "", high, x->reason);
}

void structures_html(struct buffer *b, const struct structures *s)
{
	const struct html_page page = { .title = "Structures of a core",
					.head = svg_style };

	html_begin(b, &page);
	html_table_begin(b,
			 "structure|#value|unit|#interval|how it was found, or "
			 "why not",
			 "%zu findings", s->n);
	for (size_t i = 0; i < s->n; i++)
		add_row(b, &s->list[i]);
	html_table_end(b);
	if (s->levels.n_points > 1) {
		html_printf(b, "<h2>%s</h2>\n", "Caches");
		svg_begin(b, WIDTH, HEIGHT,
			  "Cycles of a load over the bytes of a set");
		draw_sizes(b, s);
		svg_end(b);
	}
	if (s->pages.n_points > 1) {
		html_printf(b, "<h2>%s</h2>\n", "Translation");
		svg_begin(b, WIDTH, HEIGHT,
			  "Cycles of a load over pages with a line each");
		draw_pages(b, s);
		svg_end(b);
	}
	html_end(b, "Measured by anechoic structures.");
}
