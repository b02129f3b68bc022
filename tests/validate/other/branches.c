#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t sum = 0;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++) {
		if (a[i] == 1)
			sum += 3;
		__asm__ volatile("" : "+r"(sum));
		sum ^= a[i];
	}
	return (double)sum;
}
