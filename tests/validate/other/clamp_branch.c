#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];

	for (long i = 0; i < n; i++) {
		double x = a[i] * s;

		if (x > 4)
			x = 4;
		else if (x < -4)
			x = -4;
		__asm__ volatile("" : "+m"(x));
		out[i] = x;
	}
	return 0;
}
