#include "kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *up = rows[1], *down = rows[2];
	const double *front = rows[3], *back = rows[4];

	for (long i = 0; i < n; i++)
		out[i] = s * (a[i] + a[i - 1] + a[i + 1] + up[i] + down[i] +
			      front[i] + back[i]);
	return 0;
}
