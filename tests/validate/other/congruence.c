#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	uint64_t *o = (void *)out, x = 1;

	for (long i = 0; i < n; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		o[i] = x >> 33;
	}
	return (double)rows[0][0];
}
