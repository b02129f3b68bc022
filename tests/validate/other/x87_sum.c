#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const double *a = rows[0];
	long double sum = 0;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++)
		sum += a[i];
	return (double)sum;
}
