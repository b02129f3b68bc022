#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;

	for (long i = 0; i < n; i++)
		o[i] = a[i] / (a[i + 1] | 3);
	return 0;
}
