#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int32_t *a = (const void *)rows[0];
	int32_t *o = (void *)out;

	for (long i = 0; i < n; i++) {
		int64_t x = (int64_t)a[i] * 3;

		if (x > INT32_MAX)
			return 1;
		if (x < INT32_MIN)
			return 2;
		o[i] = (int32_t)x;
	}
	return 0;
}
