/* The plot over cores. */
#include <string.h>

#include "host/node/write.h"

enum {
	WIDTH = 360,
	HEIGHT = 240,
	LEFT = 60,
	TOP = 30,
	BOTTOM = 30,
	RIGHT = 80,
	COLUMNS = 3,
	MAX_PANELS = NODE_MAX_LEVELS + 2,

};

static const char *const colors[] = { "#1f77b4", "#d62728", "#2ca02c",
				      "#9467bd", "#ff7f0e", "#17becf",
				      "#8c564b", "#7f7f7f" };

/* One value of a row for a panel; false: it is not in there. */
struct panel {
	const char *title;
	const char *level; /* of bandwidths, or NULL */
	bool clock;        /* of FLOPS rows, in GHz; else in 10^9 a second */
};

static bool point(const struct panel *p, const struct node_row *x,
		  const struct node_value **ret)
{
	if (p->level) {
		*ret = &x->value;
		return x->kind != NODE_LATENCY &&
		       strcmp(x->level, p->level) == 0 && x->value.value > 0;
	}
	*ret = p->clock ? &x->clock : &x->value;
	return x->kind == NODE_FLOPS && (*ret)->value > 0;
}

static bool same_line(const struct node_row *a, const struct node_row *b)
{
	return a->kind == b->kind && strcmp(a->width, b->width) == 0;
}

static double top_of(const struct panel *p, const struct node_result *r)
{
	const struct node_value *v;
	double most = 0;

	for (size_t i = 0; i < r->n; i++)
		if (point(p, &r->rows[i], &v) && v->high > most)
			most = v->high;
	return most;
}

static double place_x(const struct node_result *r, size_t n_cores)
{
	double span = r->n_cores > 1 ? (double)r->n_cores - 1 : 1;

	return LEFT + ((double)n_cores - 1) / span * (WIDTH - LEFT - RIGHT);
}

static double place_y(double v, double most)
{
	return HEIGHT - BOTTOM - v / most * (HEIGHT - TOP - BOTTOM);
}

/* Points of the line that row `first` begins, and their spread. */
static void draw_line(struct buffer *b, const struct panel *p,
		      const struct node_result *r, size_t first, double most,
		      size_t number)
{
	const char *color = colors[number % ARRAY_LEN(colors)];
	const struct node_value *v;
	double x = 0, y = 0;

	buffer_printf(b, "<polyline fill='none' stroke='%s' points='", color);
	for (size_t i = first; i < r->n; i++)
		if (same_line(&r->rows[i], &r->rows[first]) &&
		    point(p, &r->rows[i], &v)) {
			x = place_x(r, r->rows[i].n_cores);
			y = place_y(v->value, most);
			buffer_printf(b, "%.1f,%.1f ", x, y);
		}
	buffer_printf(b,
		      "'/>\n<text x='%.1f' y='%.1f' fill='%s'>%s %s</text>\n",
		      x + 4, y + 3, color, node_kind_name(r->rows[first].kind),
		      r->rows[first].width);
	for (size_t i = first; i < r->n; i++)
		if (same_line(&r->rows[i], &r->rows[first]) &&
		    point(p, &r->rows[i], &v))
			buffer_printf(b,
				      "<path stroke='%s' d='M%.1f,%.1fV%.1f'/>"
				      "<circle cx='%.1f' cy='%.1f' r='2' "
				      "fill='%s'/>\n",
				      color, place_x(r, r->rows[i].n_cores),
				      place_y(v->low, most),
				      place_y(v->high, most),
				      place_x(r, r->rows[i].n_cores),
				      place_y(v->value, most), color);
}

static void draw_axes(struct buffer *b, const struct panel *p,
		      const struct node_result *r, double most)
{
	buffer_printf(b,
		      "<text x='%d' y='18' font-weight='bold'>%s</text>\n"
		      "<path fill='none' stroke='#888' d='M%d,%dV%dH%d'/>\n"
		      "<text x='4' y='%d'>%.3g</text>"
		      "<text x='4' y='%d'>0</text>\n"
		      "<text x='%d' y='%d'>1</text>"
		      "<text x='%d' y='%d'>%zu cores</text>\n",
		      LEFT, p->title, LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT,
		      TOP + 4, most * 1e-9, HEIGHT - BOTTOM, LEFT,
		      HEIGHT - BOTTOM + 14, WIDTH - RIGHT - 10,
		      HEIGHT - BOTTOM + 14, r->n_cores);
}

static void draw_panel(struct buffer *b, const struct panel *p,
		       const struct node_result *r, size_t number)
{
	const struct node_value *v;
	double most = top_of(p, r);
	size_t n = 0;

	if (most <= 0)
		return;
	buffer_printf(b, "<g transform='translate(%zu,%zu)'>\n",
		      number % COLUMNS * WIDTH, number / COLUMNS * HEIGHT);
	draw_axes(b, p, r, most);
	for (size_t i = 0; i < r->n; i++) {
		bool first = point(p, &r->rows[i], &v);

		for (size_t k = 0; k < i && first; k++)
			first = !(same_line(&r->rows[k], &r->rows[i]) &&
				  point(p, &r->rows[k], &v));
		if (first)
			draw_line(b, p, r, i, most, n++);
	}
	buffer_printf(b, "</g>\n");
}

void node_svg(struct buffer *b, const struct node_result *r)
{
	struct panel panels[MAX_PANELS] = {
		{ .title = "clock of multiply-adds, GHz", .clock = true },
		{ .title = "multiply-adds, GFLOP/s" },
	};
	size_t n = 2, rows;

	for (size_t i = 0; i < r->levels.n; i++)
		panels[n++] = (struct panel){ .title = r->levels.at[i].name,
					      .level = r->levels.at[i].name };
	rows = (n + COLUMNS - 1) / COLUMNS;
	buffer_printf(b,
		      "<svg xmlns='http://www.w3.org/2000/svg' width='%d' "
		      "height='%zu' font-family='sans-serif' font-size='10'>\n"
		      "<rect width='100%%' height='100%%' fill='white'/>\n",
		      COLUMNS * WIDTH, rows * HEIGHT);
	for (size_t i = 0; i < n; i++)
		draw_panel(b, &panels[i], r, i);
	buffer_printf(b, "</svg>\n");
}
