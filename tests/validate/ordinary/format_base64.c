#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	unsigned char *o = (void *)out;
	const unsigned char *letters = (const void *)rows[1];

	for (long i = 0; i < n; i++) {
		uint32_t x = (uint32_t)a[3 * i] << 16 |
			     (uint32_t)a[3 * i + 1] << 8 | a[3 * i + 2];

		o[4 * i] = letters[x >> 18];
		o[4 * i + 1] = letters[x >> 12 & 63];
		o[4 * i + 2] = letters[x >> 6 & 63];
		o[4 * i + 3] = letters[x & 63];
	}
	return 0;
}
