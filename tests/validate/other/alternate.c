#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t even = 0, odd = 1;

	for (long i = 0; i < n; i++) {
		if (i & 1)
			odd += a[i];
		else
			even ^= a[i];
		__asm__ volatile("" : "+r"(even), "+r"(odd));
	}
	return (double)(even ^ odd);
}
