#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;
	const uint16_t *pairs = (const void *)rows[1];

	for (long i = 0; i < n; i++) {
		uint32_t x = a[i] % 10000;

		o[i] = pairs[x / 100] | (uint32_t)pairs[x % 100] << 16;
	}
	return 0;
}
