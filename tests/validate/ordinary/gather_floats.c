#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const float *x = (const void *)rows[0];
	const unsigned char *at = (const void *)rows[1];
	float *o = (void *)out;

	for (long i = 0; i < n; i++)
		o[i] = x[at[i] & 31];
	return 0;
}
