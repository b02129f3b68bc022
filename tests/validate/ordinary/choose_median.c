#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int32_t *a = (const void *)rows[0];
	int32_t *o = (void *)out;

	for (long i = 0; i < n; i++) {
		int32_t x = a[i - 1 + 1], y = a[i + 1], low = x < y ? x : y;
		int32_t high = x < y ? y : x, z = a[i] >> 1;

		z = z < low ? low : z;
		o[i] = z > high ? high : z;
	}
	return 0;
}
