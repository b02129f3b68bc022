#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;

	(void)s;
	for (long i = 0; i < n; i++)
		o[i] = 1000000007u / (a[2 * (i & 511)] % 7u + 3u + (uint32_t)i);
	return 0;
}
