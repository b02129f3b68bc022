/* A histogram in text: how the cycles of the rows of samples are distributed,
 * and which visits they belong to. */
#ifndef CLI_HISTOGRAM_H
#define CLI_HISTOGRAM_H

#include "host/base/file.h"

struct histogram_point {
	double cycles;
	uint32_t visit;
};

/* Append lines of at most 80 columns: median, middle half and range of the n
 * points, then a line for each bin.  The line has the lower edge of the bin,
 * the last digits of the visits of its points, and the number of points.  A
 * digit stands for several points if there are more than fit.  Points outside
 * of the scale are on lines with `<` and `>`.  Sorts p.  Appends nothing if n
 * is 0. */
void histogram_text(struct buffer *b, struct histogram_point *p, size_t n);

#endif
