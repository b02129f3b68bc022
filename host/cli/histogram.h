/* A histogram in text: how the cycles of the rows of samples are distributed,
 * and which visits they belong to. */
#ifndef CLI_HISTOGRAM_H
#define CLI_HISTOGRAM_H

#include "host/view/samples.h"

/* Append lines of at most 80 columns: median, middle half and range of the n
 * points, then a line for each bin.  The line has the lower edge of the bin,
 * the last digits of the visits of its points, and the number of points.  A
 * digit stands for several points if there are more than fit.  Points outside
 * of the scale are on lines with `<` and `>`.  Changes their order.  Appends
 * nothing if n is 0.  p: as view_points() sorts them. */
void histogram_text(struct buffer *b, struct view_point *p, size_t n);

#endif
