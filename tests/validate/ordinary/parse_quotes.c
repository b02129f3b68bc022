#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t *o = (void *)out;
	uint64_t inside = 0;

	for (long i = 0; i < n; i++) {
		uint64_t x = a[i];

		x ^= x << 1;
		x ^= x << 2;
		x ^= x << 4;
		x ^= x << 8;
		x ^= x << 16;
		x ^= x << 32;
		x ^= inside;
		inside = (uint64_t)((int64_t)x >> 63);
		o[i] = x;
	}
	return 0;
}
