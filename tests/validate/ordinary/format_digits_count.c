#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;
	const uint32_t *powers = (const void *)rows[1];

	for (long i = 0; i < n; i++) {
		unsigned bits = 32 - (unsigned)__builtin_clz(a[i] | 1);
		unsigned guess = bits * 1233 >> 12;

		o[i] = guess + (a[i] >= powers[guess]);
	}
	return 0;
}
