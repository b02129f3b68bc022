#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t sum = 0;

	for (long i = 0; i < n; i++) {
		uint64_t x = a[i] + (uint64_t)i;

		x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
		x = (x ^ x >> 27) * 0x94d049bb133111ebu;
		sum += x ^ x >> 31;
	}
	return (double)sum;
}
