#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	uint64_t seen = 1, sum = 0;

	for (long i = 0; i < n; i++) {
		uint64_t free = ~(seen | seen << 1 | seen >> 1) | (uint64_t)1
									  << 60;
		uint64_t bit = free & -free;

		seen = (seen ^ bit) & 0xffffffffff | 1;
		sum += bit;
	}
	return (double)sum;
}
