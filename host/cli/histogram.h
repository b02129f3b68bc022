/* A small histogram in text: where the rows of a kernel's samples lie, and
 * which visit each is of. */
#ifndef CLI_HISTOGRAM_H
#define CLI_HISTOGRAM_H

#include "host/base/file.h"

struct histogram_point {
	double cycles;
	uint32_t visit;
};

/* Append lines of at most 80 columns; sorts the points.  A bin is a line: its
 * lower edge, the last digit of the visit of each row in it, how many.  What
 * lies far off is counted below and above.  Nothing for no points. */
void histogram_text(struct buffer *b, struct histogram_point *p, size_t n);

#endif
