#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;

	for (long i = 0; i < n; i++) {
		uint64_t x = a[i] & 0x0f0f0f0f0f0f0f0f;

		x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ff;
		x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;
		o[i] = (uint32_t)(x * 10000 + (x >> 32));
	}
	return 0;
}
