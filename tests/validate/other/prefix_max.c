#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const int64_t *a = (const void *)rows[0];
	int64_t *o = (void *)out, most = 0;

	(void)s;
	for (long i = 0; i < n; i++) {
		most = a[i] > most ? a[i] : most;
		o[i] = most;
	}
	return 0;
}
