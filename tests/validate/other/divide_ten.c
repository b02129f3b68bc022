#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;

	(void)s;
	for (long i = 0; i < n; i++)
		o[i] = a[i] / 10 + a[i] % 10;
	return 0;
}
