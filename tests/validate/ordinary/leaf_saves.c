#include "../kernels/kernel.h"

__attribute__((noinline, noclone)) static uint64_t inner(uint64_t x)
{
	return x * 3 + 1;
}

__attribute__((noinline, noclone)) static uint64_t outer(uint64_t x, uint64_t y)
{
	return inner(x ^ y) + y;
}

KERNEL(out, rows, s, n)
{
	const uint64_t *a = (const void *)rows[0];
	uint64_t x = 1;

	for (long i = 0; i < n; i++)
		x = outer(x, a[i]);
	return (double)x;
}
