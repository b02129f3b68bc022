#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];

	for (long i = 0; i < n; i++)
		out[i] = s / a[i];
	return 0;
}
