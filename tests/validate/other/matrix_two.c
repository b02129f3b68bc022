#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const float *a = (const void *)rows[0], *b = (const void *)rows[1];
	float *o = (void *)out, f = (float)s;

	for (long i = 0; i < n; i += 4) {
		float p = a[i], q = a[i + 1], r = a[i + 2], t = a[i + 3];

		o[i] = p * b[i] + q * b[i + 2];
		o[i + 1] = p * b[i + 1] + q * b[i + 3];
		o[i + 2] = f * (r * b[i] + t * b[i + 2]);
		o[i + 3] = f * (r * b[i + 1] + t * b[i + 3]);
	}
	return 0;
}
