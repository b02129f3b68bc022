#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t sum = 0;

	for (long i = 0; i < n; i++) {
		if (a[i] == 1)
			sum += 3;
		__asm__ volatile("" : "+r"(sum));
		sum ^= a[i];
	}
	return (double)sum;
}
