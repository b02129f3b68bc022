#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint64_t *o = (void *)out;

	for (long i = 0; i < n; i++) {
		uint64_t x = a[i];

		x = (x | x << 16) & 0x0000ffff0000ffff;
		x = (x | x << 8) & 0x00ff00ff00ff00ff;
		x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
		o[i] = x + 0x3030303030303030 +
		       ((x + 0x0606060606060606) >> 4 & 0x0101010101010101) *
			       39;
	}
	return 0;
}
