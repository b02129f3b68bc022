#include "kernel.h"

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	(void)rows;
	for (long i = 0; i < n; i++)
		out[i] = s * out[i];
	return 0;
}
