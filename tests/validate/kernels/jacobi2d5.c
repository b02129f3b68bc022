#include "kernel.h"

KERNEL(out, rows, s, n)
{
	const double *up = rows[0], *a = rows[1], *down = rows[2];

	for (long i = 0; i < n; i++)
		out[i] = s * (a[i - 1] + a[i + 1] + up[i] + down[i]);
	return 0;
}
