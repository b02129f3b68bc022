#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	const unsigned char *b = (const void *)rows[1];
	uint32_t sum = 0;

	for (long i = 0; i < 8 * n; i++)
		sum += (uint32_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
	return sum;
}
