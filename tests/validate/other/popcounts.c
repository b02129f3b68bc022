#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum += __builtin_popcountll(a[i] * 3);
	return (double)sum;
}
