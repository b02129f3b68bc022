#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	uint64_t x = 27, steps = 0;

	for (long i = 0; i < n; i++) {
		uint64_t odd = -(x & 1);

		x = (x >> 1 & ~odd) | ((3 * x + 1) & odd);
		steps += x;
	}
	return (double)steps;
}
