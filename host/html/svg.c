/* SVG pictures; see svg.h. */
#include "host/html/svg.h"

#include <math.h>
#include <stdio.h>

#include "host/base/scale.h"
#include "host/html/html.h"

enum {
	TICKS = 5, /* about so many on an axis */
	TEXT = 32,
	GAP = 5, /* pixels between an axis and its numbers */
};

void svg_begin(struct buffer *b, double width, double height, const char *label)
{
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
		      class, x1, y1, x2, y2);
}

void svg_rect(struct buffer *b, const char *class, double x, double y,
	      double width, double height, const char *title)
{
	buffer_printf(b,
		      "<rect class=\"%s\" x=\"%.6g\" y=\"%.6g\" "
		      "width=\"%.6g\" height=\"%.6g\"",
		      class, x, y, width, height);
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
		      class, x, y, anchor);
	html_text(b, text);
	buffer_printf(b, "</text>");
}

/* ---- plots --------------------------------------------------------------- */

/* The share of the way from `from` to `to`, in 0..1. */
static double share(double value, double from, double to, bool is_log)
{
	double s = is_log ? log(fmax(value, from) / from) / log(to / from)
			  : (value - from) / (to - from);

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

/* The tick after this one. */
static double next_tick(double tick, double step, bool is_log)
{
	return is_log ? tick * step : tick + step;
}

static double tick_step(double from, double to, bool is_log)
{
	if (!is_log)
		return scale_step((to - from) / TICKS);
	return pow(2, fmax(1, ceil(log2(to / from) / (TICKS + 2))));
}

static double first_tick(double from, double step, bool is_log)
{
	return is_log ? pow(2, ceil(log2(from) - 1e-9))
		      : ceil(from / step - 1e-9) * step;
}

void svg_axes(struct buffer *b, const struct svg_plot *p)
{
	double bottom = p->top + p->height, right = p->left + p->width;
	double step = tick_step(p->x0, p->x1, p->log_x);
	char text[TEXT];

	for (double t = first_tick(p->x0, step, p->log_x); t <= p->x1 * 1.0001;
	     t = next_tick(t, step, p->log_x)) {
		svg_line(b, "grid", svg_x(p, t), p->top, svg_x(p, t), bottom);
		(void)snprintf(text, sizeof(text), "%.4g", t);
		svg_text(b, "tick", svg_x(p, t), bottom + 3 * GAP, "middle",
			 text);
	}
	step = tick_step(p->y0, p->y1, p->log_y);
	for (double t = first_tick(p->y0, step, p->log_y); t <= p->y1 * 1.0001;
	     t = next_tick(t, step, p->log_y)) {
		svg_line(b, "grid", p->left, svg_y(p, t), right, svg_y(p, t));
		(void)snprintf(text, sizeof(text), "%.4g", t);
		svg_text(b, "tick", p->left - GAP, svg_y(p, t) + 4, "end",
			 text);
	}
	svg_line(b, "axis", p->left, bottom, right, bottom);
	svg_line(b, "axis", p->left, p->top, p->left, bottom);
	svg_text(b, "name", right, bottom + 6 * GAP, "end", p->x_name);
	svg_text(b, "name", p->left, p->top - 2 * GAP, "start", p->y_name);
}
