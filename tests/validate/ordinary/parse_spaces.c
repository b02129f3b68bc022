#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	long count = 0;

	for (long i = 0; i < 8 * n; i++) {
		unsigned c = a[i];

		count += c == ' ' || c - '\t' < 5;
	}
	return (double)count;
}
