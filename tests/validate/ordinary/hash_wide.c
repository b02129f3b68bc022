#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t h = 1;

	for (long i = 0; i < n; i++) {
		__extension__ unsigned __int128 x =
			(unsigned __int128)(a[i] ^ 0xa0761d6478bd642f) *
			(h ^ 0xe7037ed1a0b428db);

		h = (uint64_t)x ^ (uint64_t)(x >> 64);
	}
	return (double)h;
}
