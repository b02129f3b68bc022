#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	unsigned char *o = (void *)out;

	for (long i = 0; i < 4 * n; i++) {
		unsigned high = a[i] >> 4, low = a[i] & 15;

		o[2 * i] = (unsigned char)(high + (high < 10 ? '0' : 'W'));
		o[2 * i + 1] = (unsigned char)(low + (low < 10 ? '0' : 'W'));
	}
	return 0;
}
