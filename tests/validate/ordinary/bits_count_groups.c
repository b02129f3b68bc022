#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	unsigned char *o = (void *)out;

	for (long i = 0; i < n; i++)
		o[i] = (unsigned char)(__builtin_popcountll(a[i]) +
				       __builtin_ctzll(a[i] | 256));
	return 0;
}
