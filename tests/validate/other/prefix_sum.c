#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t *o = (void *)out, sum = 0;

	for (long i = 0; i < n; i++) {
		sum += a[i];
		o[i] = sum;
	}
	return 0;
}
