#include "kernel.h"

/* Three planes far on both sides. */
KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *up = rows[1], *down = rows[2];
	const double *f1 = rows[3], *f2 = rows[4], *f3 = rows[5];
	const double *b1 = rows[6], *b2 = rows[7], *b3 = rows[8];

	for (long i = 0; i < n; i++)
		out[i] = s * (a[i] + a[i - 1] + a[i + 1] + up[i] + down[i] +
			      f1[i] + f2[i] + f3[i] + b1[i] + b2[i] + b3[i]);
	return 0;
}
