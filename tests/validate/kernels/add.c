#include "kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *b = rows[1];

	for (long i = 0; i < n; i++)
		out[i] = a[i] + b[i];
	return 0;
}
