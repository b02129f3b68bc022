/* The structures of a core as a table and pictures, from claims
 * (host/view/finding.h). */
#include "host/site/structures.h"

#include <math.h>

#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/view/finding.h"

enum {
	WIDTH = 720,
	HEIGHT = 360,
	LEFT = 70,
	TOP = 30,
	RIGHT = 110,
	BOTTOM = 50
};

static const struct curve {
	const char *key, *title, *caption, *x_name;
	double x_unit;
} curves[] = {
	{ FINDING_CURVE_BYTES, "Caches",
	  "Cycles of a load over the bytes of a set", "KiB of the set", 1024 },
	{ FINDING_CURVE_PAGES, "Translation",
	  "Cycles of a load over pages with a line each",
	  "pages, a line in each", 1 },
};

/* A line through points whose values are above zero, both axes logarithmic. */
static void draw(struct buffer *b, const struct curve *curve,
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
		.x_name = curve->x_name,
		.y_name = "cycles of a load",
	};

	for (size_t i = 0; i < n; i++)
		plot.y1 = fmax(plot.y1, points[i].high);
	plot.x0 = points[0].x;
	plot.x1 = points[n - 1].x;
	svg_axes(b, &plot);
	svg_series(b, &plot, 0, "chase", points, n);
}

/* The points of a curve, in `a`; fewer than two are none. */
static struct svg_point *read_curve(struct arena *a,
				    const struct view_claims *claims,
				    const struct curve *curve, size_t *ret_n)
{
	struct finding_point *from =
		finding_curve(a, claims, curve->key, ret_n);
	struct svg_point *ret = ARENA_ARRAY(a, struct svg_point, *ret_n + 1);

	for (size_t i = 0; i < *ret_n; i++) {
		const struct claim *c = from[i].claim;

		ret[i] = (struct svg_point){ from[i].x / curve->x_unit,
					     claim_middle(c), c->low_cycles,
					     c->high_cycles };
	}
	return *ret_n > 1 ? ret : NULL;
}

void site_structures_picture(struct buffer *b, const struct view_claims *claims)
{
	struct arena a = { 0 };
	size_t n;
	struct svg_point *points = read_curve(&a, claims, &curves[0], &n);

	svg_begin_file(b, WIDTH, HEIGHT);
	if (points)
		draw(b, &curves[0], points, n);
	svg_end(b);
	arena_free(&a);
}

static void add_row(struct buffer *b, const struct claim *c)
{
	const char *unit = finding_unit_word(finding_unit_of(c->destination));
	char value[FINDING_SPAN];

	finding_text(value, c);
	html_printf(b,
		    "<tr><td><code>%s</code></td><td class=n>%s%s%s</td>"
		    "<td>%s</td><td>%s</td><td><code>%s</code></td></tr>\n",
		    c->source, c->has_value ? value : "not known",
		    *unit && c->has_value ? " " : "", c->has_value ? unit : "",
		    claim_verdict(c), c->detail, c->label);
}

void site_structures(struct buffer *b, const struct view_claims *claims)
{
	struct view_claims rows = finding_claims(claims, CLAIM_STRUCTURE);
	struct arena a = { 0 };

	if (rows.n > 0) {
		html_table_begin(b,
				 "structure|#value|verdict|how it was found, "
				 "or why not|kernel",
				 "%zu structures", rows.n);
		for (size_t i = 0; i < rows.n; i++)
			add_row(b, &rows.list[i]);
		html_table_end(b);
	}
	for (size_t i = 0; i < ARRAY_LEN(curves); i++) {
		size_t n;
		struct svg_point *points =
			read_curve(&a, claims, &curves[i], &n);

		if (!points)
			continue;
		html_printf(b, "<h3>%s</h3>\n", curves[i].title);
		svg_begin(b, WIDTH, HEIGHT, curves[i].caption);
		draw(b, &curves[i], points, n);
		svg_end(b);
	}
	arena_free(&a);
}

void site_structures_page(struct buffer *b, const struct view_claims *claims)
{
	const struct html_page page = { .title = "Structures of a core",
					.head = svg_style };

	html_begin(b, &page);
	site_structures(b, claims);
	html_end(b, "Measured by anechoic structures.");
}
