#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const unsigned char *a = (const void *)rows[0];
	long i = 0;

	(void)out;
	(void)s;
	while (i < 8 * n && a[i] != 'x' && a[i] != 'y')
		i++;
	return (double)i;
}
