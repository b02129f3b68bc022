#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t at = 0, sum = 0;

	for (long i = 0; i < n; i++) {
		sum += a[at + 1];
		at = a[at] & 6;
	}
	return (double)sum;
}
