#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const double *a = rows[0];
	double most = s;

	for (long i = 0; i < n; i++)
		most = a[i] > most ? a[i] : most;
	return most;
}
