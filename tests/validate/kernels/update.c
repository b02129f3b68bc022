#include "kernel.h"

KERNEL(out, rows, s, n)
{
	for (long i = 0; i < n; i++)
		out[i] = s * out[i];
	return 0;
}
