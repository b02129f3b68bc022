#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	volatile uint64_t *o = (void *)out;

	(void)rows;
	(void)s;
	for (long i = 0; i < n; i++)
		*o += (uint64_t)i;
	return 0;
}
