#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t *o = (void *)out;
	volatile uint32_t word = 0;

	for (long i = 0; i < n; i++) {
		word = a[i];
		o[i] = ((volatile unsigned char *)&word)[0];
	}
	return 0;
}
