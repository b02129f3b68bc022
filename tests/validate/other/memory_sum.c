#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];
	volatile double *o = out;

	for (long i = 0; i < n; i++)
		*o = *o + a[i];
	return 0;
}
