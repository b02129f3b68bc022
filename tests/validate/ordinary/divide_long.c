#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t r = 99991;

	for (long i = 0; i < n; i++)
		r = 0xfffffffffff / (r & 0xffff | 257) + a[i];
	return (double)r;
}
