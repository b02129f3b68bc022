#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t at = 0, sum = 0;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++) {
		sum += a[at + 1];
		at = a[at] & 6;
	}
	return (double)sum;
}
