#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const double *a = rows[0], *b = rows[1];
	double sum = 0;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++)
		sum += __builtin_fabs(a[i] - b[i]);
	return sum;
}
