#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *b = rows[1];

	for (long i = 0; i < n - 1; i += 2) {
		out[i] = a[i] * b[i] - a[i + 1] * b[i + 1];
		out[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
	}
	return 0;
}
