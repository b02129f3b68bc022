#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t *o = (void *)out;

	for (long i = 0; i < n; i++) {
		uint64_t x = a[i];

		x ^= x >> 32;
		x ^= x >> 16;
		x ^= x >> 8;
		x ^= x >> 4;
		o[i] = 0x6996u >> (x & 15) & 1;
	}
	return 0;
}
