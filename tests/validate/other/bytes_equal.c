#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const unsigned char *a = (const void *)rows[0];
	long count = 0;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++)
		count += a[i] == 0xf0;
	return (double)count;
}
