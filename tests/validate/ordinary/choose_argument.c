#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int32_t *a = (const void *)rows[0];
	int32_t most = INT32_MIN;
	long at = 0;

	for (long i = 0; i < n; i++) {
		at = a[i] > most ? i : at;
		most = a[i] > most ? a[i] : most;
	}
	return (double)(at + most);
}
