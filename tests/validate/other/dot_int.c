#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int32_t *a = (const void *)rows[0], *b = (const void *)rows[1];
	int32_t sum = 0;

	for (long i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}
