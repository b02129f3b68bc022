#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint16_t *a = (const void *)rows[0];
	uint16_t x = 1, y = 0;

	for (long i = 0; i < 4 * n; i++) {
		x = (uint16_t)(x + a[i]);
		y = (uint16_t)(y ^ x << 3);
	}
	return x + y;
}
