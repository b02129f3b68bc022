#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	unsigned char *o = (void *)out;

	for (long i = 1; i < 8 * n; i++)
		o[i] = (unsigned char)(o[i - 1] * 5 + 1);
	return 0;
}
