#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	long count = 0;

	for (long i = 0; i < n; i++)
		count += a[i] == 0xf0;
	return (double)count;
}
