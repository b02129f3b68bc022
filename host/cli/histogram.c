/* Text histograms; see histogram.h. */
#include "host/cli/histogram.h"

#include <stdlib.h>

enum {
	MAX_BINS = 10,
	BAR = 44, /* columns; label and count take the rest of a line */
};

static int by_visit(const void *a, const void *b)
{
	const struct view_point *x = a, *y = b;

	return (x->visit > y->visit) - (x->visit < y->visit);
}

/* One line for p[0..n). */
static void add_line(struct buffer *b, const char *mark, double edge,
		     struct view_point *p, size_t n)
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

static void add_bins(struct buffer *b, struct view_point *p, size_t n,
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

void histogram_text(struct buffer *b, struct view_point *p, size_t n)
{
	struct view_scale scale;

	if (n == 0)
		return;
	buffer_printf(b, "    cycles per op: median %.5g\n", p[n / 2].cycles);
	buffer_printf(b, "      half %.5g..%.5g, all %.5g..%.5g\n",
		      p[n / 4].cycles, p[n - 1 - n / 4].cycles, p[0].cycles,
		      p[n - 1].cycles);
	scale = view_scale_of(p, n, MAX_BINS);
	if (p[0].cycles == p[n - 1].cycles)
		add_line(b, "", p[0].cycles, p, n);
	else
		add_bins(b, p, n, scale.low, scale.step);
}
