#include "kernel.h"

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const double *a = rows[0], *b = rows[1];

	(void)s;
	for (long i = 0; i < n; i++)
		out[i] = a[i] + b[i];
	return 0;
}
