#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint64_t *a = (const void *)rows[0];
	volatile uint64_t *o = (void *)out;

	(void)s;
	for (long i = 0; i < n; i++)
		o[i + 1] = o[i] + a[i];
	return 0;
}
