#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];
	int64_t *o = (void *)out;

	for (long i = 0; i < n; i++)
		o[i] = (int64_t)(a[i] * s);
	return 0;
}
