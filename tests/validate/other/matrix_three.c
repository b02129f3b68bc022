#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *b = rows[1], *c = rows[2];

	for (long i = 0; i < n - 3; i++) {
		double x = a[i], y = b[i], z = c[i];

		out[i] = s * x + 2 * y + 3 * z;
		out[i + 1] = 4 * x + s * y + 6 * z;
		out[i + 2] = 7 * x + 8 * y + s * z;
	}
	return 0;
}
