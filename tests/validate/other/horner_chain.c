#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const double *a = rows[0];
	double y = 0;

	(void)out;
	for (long i = 0; i < n; i++)
		y = y * s + a[i];
	return y;
}
