#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	const uint32_t *sorted = (const void *)rows[1];
	uint32_t *o = (void *)out;

	for (long i = 0; i < n; i++) {
		const uint32_t *at = sorted;

		at = at[32] <= a[i] ? at + 32 : at;
		at = at[16] <= a[i] ? at + 16 : at;
		at = at[8] <= a[i] ? at + 8 : at;
		at = at[4] <= a[i] ? at + 4 : at;
		o[i] = (uint32_t)(at - sorted);
	}
	return 0;
}
