#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *x = rows[0];
	const int32_t *at = (const void *)rows[1];
	double sum = 0;

	for (long i = 0; i < n; i++)
		sum += x[at[i] & 15] * s;
	return sum;
}
