#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int32_t *a = (const void *)rows[0];

	for (long i = 0; i < n; i++)
		out[i] = a[i] * s;
	return 0;
}
