#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	unsigned char *o = (void *)out;

	for (long i = 0; i < 8 * n; i++) {
		unsigned char x = a[i], y = a[i + 1], z = a[i + 2];
		unsigned char low = x < y ? x : y, high = x < y ? y : x;
		unsigned char top = high < z ? high : z;

		o[i] = low > top ? low : top;
	}
	return 0;
}
