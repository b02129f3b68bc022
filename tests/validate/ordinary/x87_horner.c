#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];
	long double x = s, sum = 0;

	for (long i = 0; i < n; i++)
		sum = sum * x + a[i];
	return (double)sum;
}
