#include "kernel.h"

KERNEL(out, rows, s, n)
{
	for (long i = 0; i < n; i++)
		out[i] = s;
	return 0;
}
