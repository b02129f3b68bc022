#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const unsigned char *a = (const void *)rows[0];
	unsigned char *o = (void *)out;

	for (long i = 0; i < 2 * n; i++)
		o[i] = (unsigned char)((77 * a[3 * i] + 150 * a[3 * i + 1] +
					29 * a[3 * i + 2]) >>
				       8);
	return 0;
}
