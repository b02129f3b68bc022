#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *b = rows[1];
	double sum = 0;

	for (long i = 0; i < n; i++)
		sum += __builtin_fabs(a[i] - b[i]);
	return sum;
}
