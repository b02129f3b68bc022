#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const long *a = (const void *)rows[0], *b = (const void *)rows[1];
	long x = 0, y = 1;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++) {
		x = a[x] & 7;
		y = b[y] & 15;
	}
	return (double)(x + y);
}
