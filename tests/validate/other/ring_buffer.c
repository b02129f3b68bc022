#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	volatile uint64_t ring[4] = { 1, 2, 3, 4 };

	for (long i = 0; i < n; i += 4) {
		ring[1] = ring[0] + a[i];
		ring[2] = ring[1] ^ a[i + 1];
		ring[3] = ring[2] - a[i + 2];
		ring[0] = ring[3] + a[i + 3];
	}
	return (double)ring[0];
}
