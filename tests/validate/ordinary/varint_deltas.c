#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;
	uint32_t at = 0;

	for (long i = 0; i < n; i++) {
		at += a[i] >> 1 ^ -(a[i] & 1);
		o[i] = at;
	}
	return 0;
}
