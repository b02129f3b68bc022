#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t x = 0, y = 1;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++) {
		uint64_t sum = x + y;

		x = y ^ a[i];
		y = sum;
	}
	return (double)(x ^ y);
}
