/* The plot over cores. */
#include <stdio.h>
#include <string.h>

#include "host/html/svg.h"
#include "host/node/write.h"

enum {
	WIDTH = 360,
	HEIGHT = 240,
	LEFT = 60,
	TOP = 30,
	BOTTOM = 40,
	RIGHT = 80,
	COLUMNS = 3,
	NAME = 48, /* of a line */
};

/* One value of a row for a panel, in 10^9. */
struct panel {
	const char *title;
	const char *level; /* of bandwidths, or NULL */
	bool clock;        /* of FLOPS rows; else their values */
};

/* NULL: the row is not in the panel. */
static const struct node_value *value_of(const struct panel *p,
					 const struct node_row *x)
{
	const struct node_value *v = p->clock ? &x->clock : &x->value;
	bool is_in = p->level ? x->kind != NODE_LATENCY &&
					strcmp(x->level, p->level) == 0
			      : x->kind == NODE_FLOPS;

	return is_in && v->value > 0 ? v : NULL;
}

static bool same_line(const struct node_row *a, const struct node_row *b)
{
	return a->kind == b->kind && strcmp(a->width, b->width) == 0;
}

/* The points of the line that row `first` is of; none if an earlier row is. */
static size_t line_of(const struct panel *p, const struct node_result *r,
		      size_t first, struct buffer *points)
{
	points->n = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct node_row *x = &r->rows[i];
		const struct node_value *v = value_of(p, x);

		if (!v || !same_line(x, &r->rows[first]))
			continue;
		if (i < first)
			return 0;
		buffer_add(points,
			   &(struct svg_point){ (double)x->n_cores,
						v->value * 1e-9, v->low * 1e-9,
						v->high * 1e-9 },
			   sizeof(struct svg_point));
	}
	return points->n / sizeof(struct svg_point);
}

static void draw_panel(struct buffer *b, const struct panel *p,
		       const struct node_result *r, size_t number)
{
	struct svg_plot plot = {
		.left = (double)(number % COLUMNS * WIDTH) + LEFT,
		.top = (double)(number / COLUMNS * HEIGHT) + TOP,
		.width = WIDTH - LEFT - RIGHT,
		.height = HEIGHT - TOP - BOTTOM,
		.x0 = 1,
		.x1 = r->n_cores > 1 ? (double)r->n_cores : 2,
		.x_name = "cores",
		.y_name = p->title,
	};
	struct buffer points = { 0 };
	size_t n_lines = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct node_value *v = value_of(p, &r->rows[i]);

		if (v && v->high * 1e-9 > plot.y1)
			plot.y1 = v->high * 1e-9;
	}
	if (plot.y1 <= 0)
		return;
	svg_axes(b, &plot);
	for (size_t i = 0; i < r->n; i++) {
		const struct node_row *x = &r->rows[i];
		char name[NAME];
		size_t n = value_of(p, x) ? line_of(p, r, i, &points) : 0;

		(void)snprintf(name, sizeof(name), "%s %s",
			       node_kind_name(x->kind), x->width);
		if (n > 0)
			svg_series(b, &plot, n_lines++, name,
				   (const void *)points.bytes, n);
	}
	buffer_free(&points);
}

void node_svg(struct buffer *b, const struct node_result *r)
{
	struct panel panels[NODE_MAX_LEVELS + 2] = {
		{ .title = "clock of multiply-adds, GHz", .clock = true },
		{ .title = "multiply-adds, GFLOP/s" },
	};
	size_t n = 2;

	for (size_t i = 0; i < r->levels.n; i++)
		panels[n++] = (struct panel){ .title = r->levels.at[i].name,
					      .level = r->levels.at[i].name };
	svg_begin_file(b, COLUMNS * WIDTH,
		       (double)((n + COLUMNS - 1) / COLUMNS * HEIGHT));
	for (size_t i = 0; i < n; i++)
		draw_panel(b, &panels[i], r, i);
	svg_end(b);
}
