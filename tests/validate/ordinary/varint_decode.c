#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	uint64_t value = 0, sum = 0;
	unsigned shift = 0;

	for (long i = 0; i < 8 * n; i++) {
		uint64_t more = a[i] >> 7, all = -more;

		value |= (uint64_t)(a[i] & 127) << shift;
		sum += value & ~all;
		value &= all;
		shift = (shift + 7) & (unsigned)all & 63;
	}
	return (double)(sum + value);
}
