#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t h = 14695981039346656037u;

	for (long i = 0; i < n; i++)
		h = (h ^ a[i]) * 1099511628211u;
	return (double)h;
}
