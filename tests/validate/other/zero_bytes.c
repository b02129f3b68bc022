#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	long count = 0;

	for (long i = 0; i < n; i++) {
		uint64_t x = a[i];

		x = (x - 0x0101010101010101u) & ~x & 0x8080808080808080u;
		count += x != 0;
	}
	return (double)count;
}
