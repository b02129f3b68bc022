#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const double *a = rows[0];
	double most = s;

	(void)out;
	for (long i = 0; i < n; i++)
		most = a[i] > most ? a[i] : most;
	return most;
}
