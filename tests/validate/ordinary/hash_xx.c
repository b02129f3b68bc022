#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t h = 0x27d4eb2f165667c5;

	for (long i = 0; i < n; i++) {
		uint64_t x = a[i] * 0xc2b2ae3d27d4eb4f;

		x = (x << 31 | x >> 33) * 0x9e3779b185ebca87;
		h ^= x;
		h = (h << 27 | h >> 37) * 0x9e3779b185ebca87 +
		    0x85ebca77c2b2ae63;
	}
	return (double)h;
}
