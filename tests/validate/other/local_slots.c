#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint64_t *a = (const void *)rows[0];
	volatile uint64_t x = 1;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++)
		x = x ^ a[i];
	return (double)x;
}
