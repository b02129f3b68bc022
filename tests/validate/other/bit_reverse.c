#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;

	for (long i = 0; i < n; i++) {
		uint32_t x = a[i];

		x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
		x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
		x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
		o[i] = __builtin_bswap32(x);
	}
	return 0;
}
