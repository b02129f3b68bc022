#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int32_t *a = (const void *)rows[0], *b = (const void *)rows[1];
	int32_t *o = (void *)out;

	for (long i = 0; i < n; i++)
		o[i] = (int32_t)((int64_t)a[i] * b[i] >> 16);
	return 0;
}
