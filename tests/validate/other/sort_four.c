#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int64_t *a = (const void *)rows[0];
	int64_t *o = (void *)out;

	for (long i = 0; i < n; i++) {
		int64_t p = a[i], q = a[i + 1], x = p < q ? p : q,
			y = p < q ? q : p, z = a[i + 2];

		o[i] = x < z ? (y < z ? y : z) : x;
	}
	return 0;
}
