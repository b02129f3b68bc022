#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int64_t *a = (const void *)rows[0];
	uint64_t *o = (void *)out;

	for (long i = 0; i < n; i++)
		o[i] = (uint64_t)a[i] << 1 ^ (uint64_t)(a[i] >> 63);
	return 0;
}
