#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t even = 0, odd = 1;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++) {
		if (i & 1)
			odd += a[i];
		else
			even ^= a[i];
		__asm__ volatile("" : "+r"(even), "+r"(odd));
	}
	return (double)(even ^ odd);
}
