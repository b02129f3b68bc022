#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;

	for (long i = 0; i < n; i++)
		o[i] = 1000000007u / (a[2 * (i & 511)] % 7u + 3u + (uint32_t)i);
	return 0;
}
