#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	uint64_t x = 27, steps = 0;

	(void)out;
	(void)rows;
	(void)s;
	for (long i = 0; i < n; i++) {
		uint64_t odd = -(x & 1);

		x = (x >> 1 & ~odd) | ((3 * x + 1) & odd);
		steps += x;
	}
	return (double)steps;
}
