#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const double *a = rows[0];
	const unsigned char *at = (const void *)rows[1];

	(void)s;
	for (long i = 0; i < n; i++)
		out[i] = a[at[i]];
	return 0;
}
