#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int64_t *a = (const void *)rows[0];
	int64_t sum = 0;

	for (long i = 0; i < n; i++) {
		if (a[i] == INT64_MIN)
			return 0;
		sum += a[i] ^ i;
	}
	return (double)sum;
}
