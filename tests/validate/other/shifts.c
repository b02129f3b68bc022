#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t *o = (void *)out;

	for (long i = 0; i < n; i++)
		o[i] = a[i] << (i & 31) | a[i] >> (63 - (i & 31));
	return 0;
}
