/* A small histogram in text: the cycles of each row of samples, and its
 * visit. */
#ifndef CLI_HISTOGRAM_H
#define CLI_HISTOGRAM_H

#include "host/base/file.h"

struct histogram_point {
	double cycles;
	uint32_t visit;
};

/* Append lines of at most 80 columns; sorts the points.  Each bin is a line:
 * its lower edge, the last digit of the visit of each row in it, and their
 * number.  Rows far outside are counted below and above.  Appends nothing
 * without points. */
void histogram_text(struct buffer *b, struct histogram_point *p, size_t n);

#endif
