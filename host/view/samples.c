/* See samples.h. */
#include "host/view/samples.h"

#include <math.h>
#include <stdlib.h>

#include "host/base/scale.h"
#include "host/isa/instance.h"
#include "host/solve/fit.h"
#include "host/solve/sandwich.h"

/* Bins are at least this share of the value wide: narrower ones show noise. */
static const double finest = 0.0005;
static const double least = 1e-9;

static int by_cycles(const void *a, const void *b)
{
	const struct view_point *x = a, *y = b;

	return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

static void sort_points(struct view_point *p, size_t n)
{
	if (n > 1)
		qsort(p, n, sizeof(*p), by_cycles);
}

/* One row in cycles; false if its ticks per cycle are not known. */
static bool read_row(const struct calibration *c, const struct kernel_row *k,
		     const struct sample *m, size_t row, struct view_point *ret)
{
	const uint64_t *v = m->values + row * m->row;
	double n = (double)m->n_iterations;
	struct sandwich_row r;

	if (m->row == ROW_CORE) {
		r.tpc = 1;
		for (size_t i = 0; i < PACK_LENGTHS; i++)
			r.lengths[i] = (double)v[i];
	} else if (!c->usable || !sandwich_ok(m) ||
		   !sandwich_read(c, m, row, &r) || !(r.tpc > 0)) {
		return false;
	}
	for (size_t i = 0; i < PACK_LENGTHS; i++)
		ret->lengths[i] = r.lengths[i] / (n * r.tpc);
	ret->cycles = (ret->lengths[PACK_LENGTHS - 1] - ret->lengths[0]) /
		      ((double)(k->unroll[PACK_LENGTHS - 1] - k->unroll[0]) *
		       k->ops_per_body);
	ret->visit = m->visit;
	return isfinite(ret->cycles);
}

void view_points(const struct calibration *c, const struct kernel_result *r,
		 struct buffer *ret)
{
	struct view_point p;
	size_t first = ret->n;

	if (!fit_possible(r->kernel.unroll) || r->kernel.ops_per_body == 0)
		return;
	for (size_t i = 0; i < r->n_samples; i++) {
		const struct sample *m = &r->samples[i];

		if (m->n_iterations == 0)
			continue;
		for (uint32_t k = 0; k < m->n_rows; k++)
			if (read_row(c, &r->kernel, m, k, &p))
				buffer_add(ret, &p, sizeof(p));
	}
	sort_points((void *)(ret->bytes + first), (ret->n - first) / sizeof(p));
}

struct view_scale view_scale_of(const struct view_point *p, size_t n,
				size_t n_steps)
{
	double low = p[n / 20].cycles, high = p[n - 1 - n / 20].cycles;
	double step = fmax(finest * fmax(fabs(low), fabs(high)), least);

	step = scale_step(fmax((high - low) / (double)n_steps, step));
	return (struct view_scale){ floor(low / step) * step, step };
}

void view_code(struct buffer *b, const struct catalogue *c,
	       const struct kernel_row *k, int indent, size_t n_first,
	       size_t last_bytes)
{
	enum { LINE = 160 };
	const unsigned char *code = k->code[0];
	size_t left = code ? k->code_bytes[0] : 0;
	bool was_left_out = false;

	for (size_t i = 0; left > 0; i++) {
		bool is_shown = i < n_first || left < last_bytes;
		char text[LINE];
		size_t n = is_shown || last_bytes
				   ? instance_text(c, code, left, text, LINE)
				   : 0;

		if (n > 0 && is_shown)
			buffer_printf(b, "%*s%s\n", indent, "", text);
		else if (!was_left_out)
			buffer_printf(b, "%*s...\n", indent, "");
		was_left_out = n == 0 || !is_shown;
		if (n == 0)
			return;
		code += n;
		left -= n;
	}
}

/* ---- the histogram ------------------------------------------------------- */

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

void view_histogram(struct buffer *b, struct view_point *p, size_t n)
{
	struct view_scale scale;

	if (n == 0)
		return;
	sort_points(p, n);
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
