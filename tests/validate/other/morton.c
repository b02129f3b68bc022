#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint64_t *o = (void *)out;

	for (long i = 0; i < n; i++) {
		uint64_t x = a[i];

		x = (x | x << 16) & 0x0000ffff0000ffffu;
		x = (x | x << 8) & 0x00ff00ff00ff00ffu;
		x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
		x = (x | x << 2) & 0x3333333333333333u;
		o[i] = (x | x << 1) & 0x5555555555555555u;
	}
	return 0;
}
