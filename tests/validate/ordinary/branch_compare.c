#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	const unsigned char *b = (const void *)rows[1];
	long i = 0;

	while (i < 8 * n && (a[i] ^ b[i]) < 255)
		i++;
	return (double)i;
}
