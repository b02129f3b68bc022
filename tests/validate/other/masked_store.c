#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *b = rows[1];

	for (long i = 0; i < n; i++)
		if (a[i] > s - 1)
			out[i] = b[i] + s;
	return 0;
}
