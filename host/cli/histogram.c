/* Text histograms; see histogram.h. */
#include "host/cli/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/scale.h"

enum {
	MAX_BINS = 10,
	BAR = 44, /* columns; label and count take the rest of a line */
};

/* Bins are at least this share of the value wide: narrower ones show noise. */
static const double finest = 0.0005;
static const double least = 1e-9;

static int by_cycles(const void *a, const void *b)
{
	const struct histogram_point *x = a, *y = b;

	return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

static int by_visit(const void *a, const void *b)
{
	const struct histogram_point *x = a, *y = b;

	return (x->visit > y->visit) - (x->visit < y->visit);
}

/* One line for p[0..n). */
static void add_line(struct buffer *b, const char *mark, double edge,
		     struct histogram_point *p, size_t n)
{
	size_t per = (n + BAR - 1) / BAR; /* rows a character stands for */
	size_t shown = 0;

	buffer_printf(b, "      %1s%11.5g |", mark, edge);
	if (n > 1)
		qsort(p, n, sizeof(*p), by_visit);
	for (size_t i = 0; i < n; i += per, shown++)
		buffer_printf(b, "%u", p[i].visit % 10);
	buffer_printf(b, "%*s %zu\n", (int)(BAR - shown), "", n);
}

static void add_bins(struct buffer *b, struct histogram_point *p, size_t n,
		     double from, double step)
{
	size_t i = 0, end = 0;

	while (end < n && p[end].cycles < from)
		end++;
	if (end > 0)
		add_line(b, "<", from, p, end);
	i = end;
	for (int bin = 0; bin <= MAX_BINS && i < n; bin++) {
		double edge = from + bin * step;

		while (end < n && p[end].cycles < edge + step)
			end++;
		if (end > i || bin < MAX_BINS)
			add_line(b, "", edge, p + i, end - i);
		i = end;
	}
	if (i < n)
		add_line(b, ">", p[i].cycles, p + i, n - i);
}

void histogram_text(struct buffer *b, struct histogram_point *p, size_t n)
{
	double low, high, step, from;

	if (n == 0)
		return;
	qsort(p, n, sizeof(*p), by_cycles);
	buffer_printf(b, "    cycles per op: median %.5g\n", p[n / 2].cycles);
	buffer_printf(b, "      half %.5g..%.5g, all %.5g..%.5g\n",
		      p[n / 4].cycles, p[n - 1 - n / 4].cycles, p[0].cycles,
		      p[n - 1].cycles);
	/* The scale covers nine of ten rows. */
	low = p[n / 20].cycles;
	high = p[n - 1 - n / 20].cycles;
	if (p[0].cycles == p[n - 1].cycles) {
		add_line(b, "", low, p, n);
		return;
	}
	step = fmax(finest * fmax(fabs(low), fabs(high)), least);
	step = scale_step(fmax((high - low) / MAX_BINS, step));
	from = floor(low / step) * step;
	add_bins(b, p, n, from, step);
}
