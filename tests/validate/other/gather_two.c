#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *b = rows[1];
	const unsigned char *at = (const void *)rows[2];

	for (long i = 0; i < n; i++)
		out[i] = a[at[i]] + b[at[i] ^ 1];
	return 0;
}
