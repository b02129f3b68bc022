#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const float *a = (const void *)rows[0];
	float low = 0, high = 0;

	for (long i = 0; i < n; i++) {
		low = a[i] < low ? a[i] : low;
		high = a[i] * 2 > high ? a[i] * 2 : high;
	}
	return high - low;
}
