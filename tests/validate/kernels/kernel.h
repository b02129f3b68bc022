/* A streaming kernel over one row: what it writes, the rows it reads, a factor,
 * and how many elements.  Rows may be read one element beyond both ends. */
#include <stdint.h>

#define UNUSED __attribute__((unused))
#define KERNEL(out, rows, s, n)                                          \
	double kernel(UNUSED double *restrict out,                       \
		      UNUSED const double *const *rows, UNUSED double s, \
		      UNUSED long n)

KERNEL(out, rows, s, n);
