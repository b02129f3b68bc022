#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];

	for (long i = 0; i < n; i++)
		out[i] = s * a[i] + 2 * b[i] + 3 * c[i] + 4 * d[i];
	return 0;
}
