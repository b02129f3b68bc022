#include "kernel.h"

/* Compiled with -fno-builtin and its like: no call of memcpy() here. */
double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const double *a = rows[0];

	(void)s;
	for (long i = 0; i < n; i++)
		out[i] = a[i];
	return 0;
}
