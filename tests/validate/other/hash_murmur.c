#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t h = 1;

	for (long i = 0; i < n; i++) {
		uint32_t k = a[i] * 0xcc9e2d51u;

		h ^= (k << 15 | k >> 17) * 0x1b873593u;
		h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
	}
	return h;
}
