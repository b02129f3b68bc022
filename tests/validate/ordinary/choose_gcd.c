#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	uint64_t x = 0xdeadbeefcafe, y = 0x123456789;

	for (long i = 0; i < n; i++) {
		uint64_t less = x < y ? x : y, more = x < y ? y : x;

		y = less;
		x = (more - less) | 1;
	}
	return (double)(x + y);
}
