#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const double *a = rows[0];
	volatile double *o = out;

	(void)s;
	for (long i = 0; i < n; i++)
		*o = *o + a[i];
	return 0;
}
