#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];

	for (long i = 0; i < n; i++)
		out[i] = (double)((long double)a[i] * s + 1);
	return 0;
}
