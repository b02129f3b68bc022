#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const float *a = (const void *)rows[0], *b = (const void *)rows[1];
	float *o = (void *)out;

	for (long i = 0; i < n - 1; i += 2) {
		o[i] = b[i + 1];
		o[i + 1] = a[i];
	}
	return 0;
}
