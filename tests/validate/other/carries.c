#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0], *b = (const void *)rows[1];
	uint64_t *o = (void *)out, carry = 0;

	for (long i = 0; i < n; i++) {
		unsigned __int128 x = (unsigned __int128)a[i] + b[i] + carry;

		o[i] = (uint64_t)x;
		carry = (uint64_t)(x >> 64);
	}
	return (double)carry;
}
