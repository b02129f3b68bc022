/* Writes small SVG pictures inside of HTML.  Colours come from the style sheet,
 * by the class of each element, so that pictures follow dark and light.  A
 * number that is not finite is written as 0, a negative size as 0: a browser
 * complains of others. */
#ifndef HTML_SVG_H
#define HTML_SVG_H

#include "host/base/file.h"

/* Begin a picture of this size in pixels.  `label` describes it for screen
 * readers; svg_end() ends it. */
void svg_begin(struct buffer *b, double width, double height,
	       const char *label);
void svg_end(struct buffer *b);

void svg_line(struct buffer *b, const char *class, double x1, double y1,
	      double x2, double y2);
struct svg_box {
	double x, y, width, height;
};
/* `title` is shown when the pointer rests on it; NULL: none. */
void svg_rect(struct buffer *b, const char *class, struct svg_box box,
	      const char *title);
/* `anchor`: start, middle or end. */
void svg_text(struct buffer *b, const char *class, double x, double y,
	      const char *anchor, const char *text);

/* A plot: x0..x1 by y0..y1 of data in a box of the picture. */
struct svg_plot {
	double left, top, width, height; /* in the picture */
	double x0, x1, y0, y1;           /* of the data; x0 < x1, y0 < y1 */
	bool log_x, log_y;               /* then both ends are above zero */
	const char *x_name, *y_name;
};

/* Where a value is in the picture; values outside are moved to the edge. */
double svg_x(const struct svg_plot *p, double x);
double svg_y(const struct svg_plot *p, double y);

/* Axes with some round numbers, grid and names.  Without numbers if the ends
 * are no ends of an axis. */
void svg_axes(struct buffer *b, const struct svg_plot *p);

/* A point of a series, with the bounds of y; equal: they are not drawn. */
struct svg_point {
	double x, y, low, high;
};

enum { SVG_SERIES = 8 }; /* colours */

/* Draw the series of this number: a line through n > 0 points, in the order of
 * x, and its name behind the last. */
void svg_series(struct buffer *b, const struct svg_plot *p, size_t number,
		const char *name, const struct svg_point *points, size_t n);

/* The style of series, as an element: of a page that has some. */
extern const char svg_style[];

/* Begin a picture that is a file of its own: it has its style in itself, of
 * svg_axes() and svg_series() alone, on white. */
void svg_begin_file(struct buffer *b, double width, double height);

/* Begin a picture with a square plot, of which width, x0, x1 and the names are
 * set; the rest is set here.  Both axes are logarithmic, from x0 to x1; the
 * diagonal is drawn. */
void svg_begin_square(struct buffer *b, struct svg_plot *p, const char *label);

#endif
