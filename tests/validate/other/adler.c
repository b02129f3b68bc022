#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	uint32_t low = 1, high = 0;

	for (long i = 0; i < 8 * n; i++) {
		low += a[i];
		high += low;
	}
	return high ^ low;
}
