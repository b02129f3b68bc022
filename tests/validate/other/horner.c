#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];

	for (long i = 0; i < n; i++) {
		double x = a[i];

		out[i] = ((((s * x + 0.5) * x + 0.25) * x + 2) * x + 3) * x + 1;
	}
	return 0;
}
