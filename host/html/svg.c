/* SVG pictures; see svg.h. */
#include "host/html/svg.h"

#include <math.h>
#include <stdio.h>

#include "host/base/scale.h"
#include "host/html/html.h"

enum {
	TICKS = 5, /* about so many on an axis */
	MOST_TICKS = 16,
	TEXT = 32,
	GAP = 5, /* pixels between an axis and its numbers */
};

/* Browsers refuse other numbers. */
static double svg_finite(double x)
{
	return isfinite(x) ? x : 0;
}

void svg_begin(struct buffer *b, double width, double height, const char *label)
{
	width = svg_finite(width);
	height = svg_finite(height);
	buffer_printf(b,
		      "<svg viewBox=\"0 0 %.6g %.6g\" width=\"%.6g\" "
		      "height=\"%.6g\" role=\"img\" aria-label=\"",
		      width, height, width, height);
	html_text(b, label);
	buffer_printf(b, "\">");
}

void svg_end(struct buffer *b)
{
	buffer_printf(b, "</svg>\n");
}

void svg_line(struct buffer *b, const char *class, double x1, double y1,
	      double x2, double y2)
{
	buffer_printf(b, "<path class=\"%s\" d=\"M%.6g %.6gL%.6g %.6g\"/>",
		      class, svg_finite(x1), svg_finite(y1), svg_finite(x2),
		      svg_finite(y2));
}

void svg_rect(struct buffer *b, const char *class, struct svg_box box,
	      const char *title)
{
	/* A negative size is an error of the picture, too. */
	buffer_printf(b,
		      "<rect class=\"%s\" x=\"%.6g\" y=\"%.6g\" "
		      "width=\"%.6g\" height=\"%.6g\"",
		      class, svg_finite(box.x), svg_finite(box.y),
		      fmax(0, svg_finite(box.width)),
		      fmax(0, svg_finite(box.height)));
	if (!title) {
		buffer_printf(b, "/>");
		return;
	}
	buffer_printf(b, "><title>");
	html_text(b, title);
	buffer_printf(b, "</title></rect>");
}

void svg_text(struct buffer *b, const char *class, double x, double y,
	      const char *anchor, const char *text)
{
	buffer_printf(b,
		      "<text class=\"%s\" x=\"%.6g\" y=\"%.6g\" "
		      "text-anchor=\"%s\">",
		      class, svg_finite(x), svg_finite(y), anchor);
	html_text(b, text);
	buffer_printf(b, "</text>");
}

/* ---- plots --------------------------------------------------------------- */

/* The share of the way from `from` to `to`, in 0..1; 0 for what is no
 * number. */
static double share(double value, double from, double to, bool is_log)
{
	double s = is_log ? (log(fmax(value, from)) - log(from)) /
				    (log(to) - log(from))
			  : (value / 2 - from / 2) / (to / 2 - from / 2);

	return !(s > 0) ? 0 : fmin(s, 1);
}

double svg_x(const struct svg_plot *p, double x)
{
	return p->left + p->width * share(x, p->x0, p->x1, p->log_x);
}

double svg_y(const struct svg_plot *p, double y)
{
	return p->top + p->height * (1 - share(y, p->y0, p->y1, p->log_y));
}

struct ticks {
	size_t n;
	double at[MOST_TICKS];
};

/* Round numbers in from..to; none if these are no ends of an axis. */
static struct ticks svg_ticks(double from, double to, bool is_log)
{
	struct ticks t = { .n = 0 };
	double step, first;

	if (!isfinite(from) || !isfinite(to) || !(from < to) ||
	    (is_log && !(from > 0)))
		return t;
	if (is_log) {
		/* Exponents of two. */
		from = log2(from);
		to = log2(to);
		step = fmax(1, ceil((to - from) / (TICKS + 2)));
		first = ceil(from - 1e-9);
	} else {
		step = scale_step(to / TICKS - from / TICKS);
		first = ceil(from / step - 1e-9) * step;
	}
	for (double k = 0; t.n < MOST_TICKS; k++) {
		double tick = first + k * step;

		/* Also if it is no number. */
		if (!(tick <= to + step * 1e-6))
			break;
		t.at[t.n++] = is_log ? exp2(tick) : tick;
	}
	return t;
}

void svg_axes(struct buffer *b, const struct svg_plot *p)
{
	double bottom = p->top + p->height, right = p->left + p->width;
	struct ticks x = svg_ticks(p->x0, p->x1, p->log_x);
	struct ticks y = svg_ticks(p->y0, p->y1, p->log_y);
	char text[TEXT];

	for (size_t i = 0; i < x.n; i++) {
		double at = svg_x(p, x.at[i]);

		svg_line(b, "grid", at, p->top, at, bottom);
		(void)snprintf(text, sizeof(text), "%.4g", x.at[i]);
		svg_text(b, "tick", at, bottom + 3 * GAP, "middle", text);
	}
	for (size_t i = 0; i < y.n; i++) {
		double at = svg_y(p, y.at[i]);

		svg_line(b, "grid", p->left, at, right, at);
		(void)snprintf(text, sizeof(text), "%.4g", y.at[i]);
		svg_text(b, "tick", p->left - GAP, at + 4, "end", text);
	}
	svg_line(b, "axis", p->left, bottom, right, bottom);
	svg_line(b, "axis", p->left, p->top, p->left, bottom);
	svg_text(b, "name", right, bottom + 6 * GAP, "end", p->x_name);
	svg_text(b, "name", p->left, p->top - 2 * GAP, "start", p->y_name);
}

void svg_series(struct buffer *b, const struct svg_plot *p, size_t number,
		const char *name, const struct svg_point *points, size_t n)
{
	const struct svg_point *last = &points[n - 1];

	buffer_printf(b, "<g class=\"s%zu\">", number % SVG_SERIES);
	for (size_t i = 0; i < n; i++) {
		const struct svg_point *at = &points[i];
		double x = svg_x(p, at->x), y = svg_y(p, at->y);

		if (i > 0)
			svg_line(b, "line", svg_x(p, at[-1].x),
				 svg_y(p, at[-1].y), x, y);
		if (at->low < at->high)
			svg_line(b, "line", x, svg_y(p, at->low), x,
				 svg_y(p, at->high));
		buffer_printf(
			b,
			"<circle class=\"series\" r=\"3\" cx=\"%.6g\" cy=\"%.6g\">"
			"<title>%.4g</title></circle>",
			x, y, svg_finite(at->y));
	}
	svg_text(b, "series", svg_x(p, last->x) + GAP + 1,
		 svg_y(p, last->y) + 4, "start", name);
	buffer_printf(b, "</g>\n");
}

#define SERIES(i, colour)                         \
	".s" #i " .line { stroke: " colour "; } " \
	".s" #i " .series { fill: " colour "; }\n"

const char svg_style[] = "<style>\n" SERIES(0, "#1f77b4") SERIES(1, "#d62728")
	SERIES(2, "#2ca02c") SERIES(3, "#9467bd") SERIES(4, "#ff7f0e")
		SERIES(5, "#17becf") SERIES(6, "#8c564b")
			SERIES(7, "#7f7f7f") "</style>\n";

void svg_begin_file(struct buffer *b, double width, double height)
{
	buffer_printf(b,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		      "width=\"%.6g\" height=\"%.6g\">%s<style>\n"
		      "text { font: 10px sans-serif; }\n"
		      "path { fill: none; }\n"
		      ".grid { stroke: #ddd; } .axis { stroke: #888; }\n"
		      "</style><rect width=\"100%%\" height=\"100%%\" "
		      "fill=\"white\"/>\n",
		      svg_finite(width), svg_finite(height), svg_style);
}

void svg_begin_square(struct buffer *b, struct svg_plot *p, const char *label)
{
	enum { LEFT = 46, TOP = 26, RIGHT = 20, FOOT = 40 };
	double size = p->width;

	p->left = LEFT;
	p->top = TOP;
	p->height = size;
	p->y0 = p->x0;
	p->y1 = p->x1;
	p->log_x = p->log_y = true;
	svg_begin(b, LEFT + size + RIGHT, TOP + size + FOOT, label);
	svg_axes(b, p);
	svg_line(b, "diag", LEFT, TOP + size, LEFT + size, TOP);
}
