#include "kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0], *b = rows[1], *c = rows[2];
	const double *d = rows[3], *e = rows[4], *f = rows[5];
	const double *g = rows[6], *h = rows[7], *k = rows[8];

	for (long i = 0; i < n; i++)
		out[i] = s * (a[i - 1] + a[i] + a[i + 1] + b[i - 1] + b[i] +
			      b[i + 1] + c[i - 1] + c[i] + c[i + 1] + d[i - 1] +
			      d[i] + d[i + 1] + e[i - 1] + e[i] + e[i + 1] +
			      f[i - 1] + f[i] + f[i + 1] + g[i - 1] + g[i] +
			      g[i + 1] + h[i - 1] + h[i] + h[i + 1] + k[i - 1] +
			      k[i] + k[i + 1]);
	return 0;
}
