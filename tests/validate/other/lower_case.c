#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	unsigned char *o = (void *)out;

	for (long i = 0; i < 8 * n; i++)
		o[i] = a[i] >= 'A' && a[i] <= 'Z' ? a[i] | 32 : a[i];
	return 0;
}
