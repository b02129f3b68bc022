#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];

	for (long i = 0; i < n; i++) {
		double x = s * a[i], x2 = x * x, x4 = x2 * x2;

		out[i] = ((0.5 * x + 0.25) + (0.125 * x + 2) * x2) +
			 ((3 * x + 4) + (5 * x + 6) * x2) * x4;
	}
	return 0;
}
