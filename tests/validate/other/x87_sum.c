#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];
	long double sum = 0;

	for (long i = 0; i < n; i++)
		sum += a[i];
	return (double)sum;
}
