#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t sum = 0;

	for (long i = 0; i < n; i++) {
		sum += a[i];
		if ((i & 3) == 3)
			sum ^= sum >> 7;
	}
	return (double)sum;
}
