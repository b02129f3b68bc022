#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const unsigned char *a = (const void *)rows[0];
	const unsigned char *b = (const void *)rows[1];
	unsigned char *o = (void *)out;

	(void)s;
	for (long i = 0; i < 8 * n; i++) {
		unsigned x = (unsigned)a[i] + b[i];

		o[i] = x > 255 ? 255 : (unsigned char)x;
	}
	return 0;
}
