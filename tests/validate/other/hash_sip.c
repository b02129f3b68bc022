#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t v0 = 1, v1 = 2, v2 = 3, v3 = 4;

	for (long i = 0; i < n; i++) {
		v3 ^= a[i];
		v0 += v1;
		v2 += v3;
		v1 = (v1 << 13 | v1 >> 51) ^ v0;
		v3 = (v3 << 16 | v3 >> 48) ^ v2;
		v0 = (v0 << 32 | v0 >> 32) + v3;
		v2 += v1;
		v1 = (v1 << 17 | v1 >> 47) ^ v2;
		v3 = (v3 << 21 | v3 >> 43) ^ v0;
		v0 ^= a[i];
	}
	return (double)(v0 ^ v1 ^ v2 ^ v3);
}
