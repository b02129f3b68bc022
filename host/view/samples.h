/* What the samples of a kernel show: points, scales, the code.  No row is left
 * out for its value: what is shown is the input of the solver.  Prints
 * nothing. */
#ifndef VIEW_SAMPLES_H
#define VIEW_SAMPLES_H

#include "host/base/file.h"
#include "host/isa/catalogue.h"
#include "host/solve/estimate.h"

/* One row of a sample. */
struct view_point {
	double cycles;                /* per op */
	double lengths[PACK_LENGTHS]; /* cycles of an iteration */
	uint32_t visit;
};

/* Append the rows of the kernel as struct view_point, sorted by cycles.  Rows
 * that cannot be converted to cycles (no ticks per cycle, a malformed sample)
 * and kernels whose three lengths allow no fit have none.  c:
 * solve_calibration() of the run. */
void view_points(const struct calibration *c, const struct kernel_result *r,
		 struct buffer *ret);

/* A scale of n_steps steps for n > 0 sorted points.  It covers the middle nine
 * tenths of the points. */
struct view_scale {
	double low, step;
};
struct view_scale view_scale_of(const struct view_point *p, size_t n,
				size_t n_steps);

/* Append lines of at most 80 columns: median, middle half and range of the n
 * points, then a line for each bin.  The line has the lower edge of the bin,
 * the last digits of the visits of its points, and the number of points.  A
 * digit stands for several points if there are more than fit.  Points outside
 * of the scale are on lines with `<` and `>`.  Changes their order.  Appends
 * nothing if n is 0. */
void view_histogram(struct buffer *b, struct view_point *p, size_t n);

/* Append the instructions of the kernel's shortest length, a line each with
 * `indent` blanks before it: the first n_first, and those that begin fewer than
 * `last_bytes` bytes before its end.  "..." stands for those left out and for
 * bytes that are no instruction.  Nothing if the code is not known. */
void view_code(struct buffer *b, const struct catalogue *c,
	       const struct kernel_row *k, int indent, size_t n_first,
	       size_t last_bytes);

#endif
