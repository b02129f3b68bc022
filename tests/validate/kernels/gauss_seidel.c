#include "kernel.h"

KERNEL(out, rows, s, n)
{
	const double *restrict up = rows[0], *restrict down = rows[1];

	for (long i = 1; i < n; i++)
		out[i] = s * (out[i - 1] + out[i + 1] + up[i] + down[i]);
	return 0;
}
