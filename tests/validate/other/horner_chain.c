#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];
	double y = 0;

	for (long i = 0; i < n; i++)
		y = y * s + a[i];
	return y;
}
