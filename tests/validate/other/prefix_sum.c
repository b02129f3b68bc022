#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t *o = (void *)out, sum = 0;

	(void)s;
	for (long i = 0; i < n; i++) {
		sum += a[i];
		o[i] = sum;
	}
	return 0;
}
