#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const unsigned char *a = (const void *)rows[0];
	uint32_t low = 1, high = 0;

	(void)out;
	(void)s;
	for (long i = 0; i < 8 * n; i++) {
		low += a[i];
		high += low;
	}
	return high ^ low;
}
