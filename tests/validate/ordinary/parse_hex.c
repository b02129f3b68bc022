#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	uint64_t value = 0;

	for (long i = 0; i < 8 * n; i++)
		value = value << 4 | ((a[i] & 15) + 9 * (a[i] >> 6));
	return (double)value;
}
