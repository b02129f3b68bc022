#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];
	const unsigned char *at = (const void *)rows[1];

	for (long i = 0; i < n; i++)
		out[i] = a[at[i]];
	return 0;
}
