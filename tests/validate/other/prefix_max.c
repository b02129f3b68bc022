#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int64_t *a = (const void *)rows[0];
	int64_t *o = (void *)out, most = 0;

	for (long i = 0; i < n; i++) {
		most = a[i] > most ? a[i] : most;
		o[i] = most;
	}
	return 0;
}
